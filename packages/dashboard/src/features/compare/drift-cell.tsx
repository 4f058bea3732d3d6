import type { Environment } from '@burgee/contract'
import { UnstyledButton } from '@mantine/core'
import classes from './compare.module.css'
import { describeFields, describeFlag } from './describe-flag.ts'
import type { Drift, DriftRow } from './drift.ts'

interface DriftCellProps {
  readonly row: DriftRow
  readonly environment: Environment
  readonly source: Environment
  readonly onOpen: (flag_key: string, environment_id: string) => void
}

/** The state of one flag in one environment, and its differences from the source. */
export function DriftCell({ row, environment, source, onOpen }: DriftCellProps) {
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
  const note = describeDrift(drift, source.name)
  return (
    <td className={classes.cell} data-drift={drift.kind}>
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
