import { Badge } from '@mantine/core'
import classes from './flow.module.css'
import type { PrerequisiteState } from './prerequisite-state.ts'

/** The state of a flag, as a word and a color. */
export function StateBadge({ state }: { readonly state: PrerequisiteState }) {
  return (
    <Badge
      variant="default"
      tt="none"
      className={classes.state}
      leftSection={<span className={classes.dot} data-state={state} aria-hidden="true" />}
    >
      {state[0]?.toUpperCase()}
      {state.slice(1)}
    </Badge>
  )
}
