import { cutLine } from '@burgee/contract'
import type { WeightedVariant } from '@burgee/evaluation'
import { Tooltip } from '@mantine/core'
import { useValueName } from '../../shared/ui/value-names.tsx'
import classes from './variants.module.css'
import { formatPercentage, percentagesOf } from './weights.ts'

/** A share narrower than this has no room for its text. */
const TEXT_FROM_PERCENT = 9
const VALUE_MAX = 60
/** Colors from the palette's eighth shades, which carry white text at 4.5:1 and more. */
const SHARE_COLORS = ['indigo', 'teal', 'grape', 'cyan', 'pink', 'violet', 'green', 'red'] as const

/** The color of the variant at a place, the same in the bar and beside its value. */
export const shareColor = (at: number): string =>
  `var(--mantine-color-${SHARE_COLORS[at % SHARE_COLORS.length]}-9)`

/** The division of users among the variants, as one bar. */
export function WeightBar({ variants }: { readonly variants: readonly WeightedVariant[] }) {
  const nameOf = useValueName()
  const percentages = percentagesOf(variants.map(({ weight }) => weight))
  return (
    <ul className={classes.bar} aria-label="Shares of the variants">
      {variants.map(({ value }, at) => {
        const percentage = percentages[at] ?? 0
        if (percentage === 0) return null
        const text = formatPercentage(percentage)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the bar is drawn by places
          <Tooltip key={at} label={`${cutLine(nameOf(value) ?? JSON.stringify(value), VALUE_MAX)}: ${text}`}>
            <li
              className={classes.share}
              style={{ flexGrow: percentage, flexBasis: 0, background: shareColor(at), color: 'white' }}
            >
              {percentage >= TEXT_FROM_PERCENT && text}
            </li>
          </Tooltip>
        )
      })}
    </ul>
  )
}
