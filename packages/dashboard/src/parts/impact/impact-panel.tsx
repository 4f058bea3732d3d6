import type { Flag, Impact, ImpactChange } from '@burgee/contract'
import { Skeleton, Text } from '@mantine/core'
import { hasStatus, messageOf } from '../../shared/api/api-error.ts'
import { describeCoverage, describeImpact, splitFlags } from './describe-impact.ts'
import { FlipList } from './flip-list.tsx'
import classes from './impact.module.css'
import { useImpact } from './use-impact.ts'
import { Violations } from './violations.tsx'

interface ImpactPanelProps {
  readonly project_id: string
  readonly environment_id: string
  readonly changes: readonly ImpactChange[]
  /** The names of the changed flag's values. */
  readonly names?: Flag['variant_names']
  /** True where there is little space: the sentence without bars. */
  readonly isShort?: boolean
}

const HEIGHT_PX = 96
const SHORT_HEIGHT_PX = 38
const DEPENDANTS_SHOWN = 5

/**
 * The users whom a change affects, counted by the server over those who were seen. It loads beside the
 * change, and nothing waits for it.
 */
export function ImpactPanel(props: ImpactPanelProps) {
  const { changes, environment_id: env_id, isShort = false } = props
  const { data, error, isPending } = useImpact(env_id, changes)
  if (isPending)
    return (
      <Skeleton height={isShort ? SHORT_HEIGHT_PX : HEIGHT_PX} aria-label="Counting the users who change" />
    )
  // The page beside it states what is wrong with the change.
  if (hasStatus(error, 409) || hasStatus(error, 422)) return null
  if (error)
    return (
      <Text size="xs" c="dimmed">
        The users who change could not be counted: {messageOf(error)}
      </Text>
    )
  return <CountedUsers impact={data} {...props} />
}

/** The users whom a change affects, as the server has counted them. */
export function CountedUsers({
  environment_id,
  impact,
  isShort = false,
  names,
  project_id,
}: Omit<ImpactPanelProps, 'changes'> & { readonly impact: Impact }) {
  const sentence = describeImpact(impact, names)
  const { dependants, own } = splitFlags(impact.flags)
  const place = { project_id, environment_id }
  const { known } = impact.users
  const moving = dependants.filter(isMoving)
  return (
    <>
      {impact.violations.length > 0 && <Violations violations={impact.violations} />}
      <section className={classes.panel} aria-label="Users who change" aria-live="polite">
        {sentence && (
          <Text size="sm" fw={550}>
            {sentence}
          </Text>
        )}
        {!isShort &&
          own.filter(isFlipping).map((flag) => (
            <div key={flag.flag_key}>
              {own.length > 1 && (
                <Text size="sm" fw={550} mb={4}>
                  {flag.flag_key}
                </Text>
              )}
              <FlipList flips={flag.flips} known={known} names={names} place={place} />
            </div>
          ))}
        {moving.length > 0 && <Dependants flags={moving} />}
        <Text size="xs" c="dimmed">
          {describeCoverage(impact)}
        </Text>
      </section>
    </>
  )
}

type ImpactOfFlag = Impact['flags'][number]
const isFlipping = ({ flips }: ImpactOfFlag): boolean => flips.length > 0
const isMoving = (flag: ImpactOfFlag): boolean => flag.changed > 0 || isFlipping(flag)

function Dependants({ flags }: { readonly flags: Impact['flags'] }) {
  const shown = flags.slice(0, DEPENDANTS_SHOWN)
  const hidden = flags.length - shown.length
  return (
    <Text size="sm">
      Also moves:{' '}
      {shown.map(({ changed, flag_key }, index) => (
        <span key={flag_key}>
          {index > 0 && ', '}
          <b>{flag_key}</b> for {changed.toLocaleString('en')}
        </span>
      ))}
      {hidden > 0 && ` and ${hidden} more`}
    </Text>
  )
}
