import { cutLine } from '@burgee/contract'
import { Tooltip } from '@mantine/core'
import type { Draft } from './draft.ts'
import { shareColor } from './share-color.ts'
import classes from './variants.module.css'
import { formatPercentage, percentagesOf } from './weights.ts'

/** A share narrower than this has no room for its text. */
const TEXT_FROM_PERCENT = 9
const VALUE_MAX = 60

/** How users are divided among the variants, as one bar. */
export function WeightBar({ variants }: { readonly variants: Draft['variants'] }) {
  const percentages = percentagesOf(variants.map(({ weight }) => weight))
  return (
    <ul className={classes.bar} aria-label="Shares of the variants">
      {variants.map(({ value }, at) => {
        const percentage = percentages[at] ?? 0
        if (percentage === 0) return null
        const text = formatPercentage(percentage)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the bar is drawn by places
          <Tooltip key={at} label={`${cutLine(JSON.stringify(value), VALUE_MAX)}: ${text}`}>
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
