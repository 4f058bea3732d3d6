import type { Flag, Impact } from '@burgee/contract'
import { Text } from '@mantine/core'
import { AnchorLink } from '../../shared/ui/links.tsx'
import { describeFlip } from './describe-impact.ts'
import classes from './impact.module.css'

interface FlipListProps {
  readonly flips: Impact['flags'][number]['flips']
  /** The users of a whole bar. */
  readonly known: number
  readonly names?: Flag['variant_names']
  /** The environment whose Evaluate page the example users lead to. */
  readonly place: { readonly project_id: string; readonly environment_id: string }
}

const SHOWN_MAX = 6

/** A bar for each flip: how many users surely get it, and how many may. */
export function FlipList({ flips, known, names, place }: FlipListProps) {
  const hidden = flips.length - SHOWN_MAX
  return (
    <ul className={classes.flips}>
      {flips.slice(0, SHOWN_MAX).map((flip) => {
        const { certain, examples, kind, possible, text } = describeFlip(flip, names)
        const counted =
          possible === 0 ? format(certain) : `${format(certain)} to ${format(certain + possible)}`
        return (
          <li
            key={`${JSON.stringify([flip.from, flip.to])} ${kind}`}
            className={classes.flip}
            data-kind={kind}
          >
            <Text size="sm" className={classes.text ?? ''}>
              {text}
            </Text>
            <Text size="sm" fw={600}>
              {counted}
            </Text>
            <div className={classes.bar} aria-hidden="true">
              {certain > 0 && <span className={classes.certain} style={{ width: widthOf(certain, known) }} />}
              {possible > 0 && (
                <span className={classes.possible} style={{ width: widthOf(possible, known) }} />
              )}
            </div>
            <Examples examples={examples} place={place} />
          </li>
        )
      })}
      {hidden > 0 && (
        <Text component="li" size="xs" c="dimmed">
          and {hidden} more
        </Text>
      )}
    </ul>
  )
}

const format = (count: number): string => count.toLocaleString('en')
const widthOf = (count: number, known: number): string => `${(100 * count) / Math.max(1, known)}%`

function Examples({
  examples,
  place,
}: Pick<FlipListProps, 'place'> & { readonly examples: readonly (string | null)[] }) {
  const named = examples.filter((key) => key !== null)
  if (named.length === 0) return null
  return (
    <Text size="xs" c="dimmed" component="div" className={classes.examples ?? ''}>
      such as
      {named.map((key) => (
        <AnchorLink
          key={key}
          size="xs"
          to="/projects/$project_id/environments/$environment_id/evaluate"
          params={place}
          search={{ user: key }}
          title={`Evaluate for ${key}`}
        >
          {key === '' ? 'the empty key' : key}
        </AnchorLink>
      ))}
    </Text>
  )
}
