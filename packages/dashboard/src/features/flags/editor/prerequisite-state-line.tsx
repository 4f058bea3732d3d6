import type { Flag } from '@burgee/contract'
import { Text } from '@mantine/core'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { AnchorLink } from '../../../shared/ui/links.tsx'
import { type PrerequisiteState, prerequisiteState } from './prerequisite-state.ts'
import classes from './prerequisites.module.css'
import { StateBadge } from './state-badge.tsx'

interface PrerequisiteStateLineProps {
  readonly flag_key: string
  readonly flag: Flag | undefined
}

const MEANINGS: Readonly<Record<PrerequisiteState, string>> = {
  on: '',
  off: 'This fails for everyone at present.',
  archived: 'This fails for everyone.',
  missing: 'There is no such flag here: this fails until there is.',
}

/** The flag's present state, with a link to the flag. */
export function PrerequisiteStateLine({ flag_key, flag }: PrerequisiteStateLineProps) {
  const { project_id, environment_id } = useScope()
  const state = prerequisiteState(flag)
  const text = MEANINGS[state]
  return (
    <div className={classes.prerequisite_state}>
      <StateBadge state={state} />
      {text && (
        <Text size="xs" c="dimmed">
          {text}
        </Text>
      )}
      {flag && (
        <AnchorLink
          size="xs"
          to="/projects/$project_id/environments/$environment_id/flags/$flag_key"
          params={{ project_id, environment_id, flag_key }}
        >
          Open the flag
        </AnchorLink>
      )}
    </div>
  )
}
