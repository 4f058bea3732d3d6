import type { Environment } from '@burgee/contract'
import { UnstyledButton } from '@mantine/core'
import { describeFields } from '../../parts/flag-diff/describe-fields.ts'
import classes from './compare.module.css'
import { describeFlag } from './describe-flag.ts'
import type { Drift, DriftRow } from './drift.ts'
import type { Behaviour } from './use-behaviours.ts'

interface DriftCellProps {
  readonly row: DriftRow
  /** The facts about the drift beyond the text. */
  readonly facts: DriftFacts
  readonly environment: Environment
  readonly source: Environment
  readonly onOpen: (flag_key: string, environment_id: string) => void
}

/** The state of one flag in one environment, and its differences from the source. */
export function DriftCell({ row, environment, source, facts, onOpen }: DriftCellProps) {
  const flag = row.flags.get(environment.id)
  const drift = row.drifts.get(environment.id)
  const state = flag ? describeFlag(flag) : 'Not created'
  if (!drift || drift.kind === 'same' || drift.kind === 'none') {
    return (
      <td className={classes.cell} data-drift={drift?.kind ?? 'source'}>
        <div className={classes.plain}>
          <span className={classes.state}>{state}</span>
          {drift?.kind === 'same' && <span className={classes.note}>same</span>}
        </div>
      </td>
    )
  }
  const note = [describeDrift(drift, source.name), ...describeFacts(facts)].join(' · ')
  return (
    <td className={classes.cell} data-drift={isHarmless(facts) ? 'harmless' : drift.kind}>
      <UnstyledButton
        className={classes.open}
        onClick={() => onOpen(row.key, environment.id)}
        aria-label={`${row.key} in ${environment.name}: ${state}; ${note}. Show the difference`}
        title={note}
      >
        <span className={classes.state}>{state}</span>
        <span className={classes.note}>{note}</span>
      </UnstyledButton>
    </td>
  )
}

/** The facts about a drift beyond the text of the flag. */
export interface DriftFacts {
  readonly behaviour: Behaviour['behaviour']
  /** True when a note states that the flag is meant to differ. */
  readonly isMeant: boolean
}

const isHarmless = ({ behaviour, isMeant }: DriftFacts): boolean => behaviour === 'same' || isMeant

function describeFacts({ behaviour, isMeant }: DriftFacts): string[] {
  const facts = behaviour === 'same' ? ['behaves the same'] : behaviour === 'undecided' ? ['undecided'] : []
  return isMeant ? [...facts, 'meant to differ'] : facts
}

function describeDrift(drift: Drift, sourceName: string): string {
  switch (drift.kind) {
    case 'different':
      return `differs: ${describeFields(drift.fields)}`
    case 'missing':
      return `only in ${sourceName}`
    case 'extra':
      return `not in ${sourceName}`
    default:
      return ''
  }
}
