import { List, Text } from '@mantine/core'
import { formatMinute } from '../../../parts/schedule/format-minute.ts'
import { AnchorLink } from '../../../shared/ui/links.tsx'
import type { Dependents } from './use-dependents.ts'

interface DependentsListProps {
  readonly dependents: Dependents
  readonly scope: { readonly project_id: string; readonly environment_id: string }
}

/** Each thing that depends on a flag, with the way to it. */
export function DependentsList({ dependents, scope }: DependentsListProps) {
  const { change_requests, experiments, flags, scheduled_changes } = dependents
  if (change_requests.length + experiments.length + flags.length + scheduled_changes.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        Nothing in this environment depends on it.
      </Text>
    )
  }
  return (
    <List size="sm" spacing={4}>
      {flags.map(({ key }) => (
        <List.Item key={`flag ${key}`}>
          <AnchorLink
            size="sm"
            underline="always"
            to="/projects/$project_id/environments/$environment_id/flags/$flag_key"
            params={{ ...scope, flag_key: key }}
          >
            {key}
          </AnchorLink>{' '}
          has it as a prerequisite and will give everyone its disabled value.
        </List.Item>
      ))}
      {experiments.map(({ key, name, status }) => (
        <List.Item key={`experiment ${key}`}>
          The {status} experiment{' '}
          <AnchorLink
            size="sm"
            underline="always"
            to="/projects/$project_id/environments/$environment_id/experiments/$experiment_key"
            params={{ ...scope, experiment_key: key }}
          >
            {name}
          </AnchorLink>{' '}
          measures it and gets no new users.
        </List.Item>
      ))}
      {scheduled_changes.map(({ id, scheduled_at }) => (
        <List.Item key={id}>The change scheduled for {formatMinute(scheduled_at)} is removed.</List.Item>
      ))}
      {change_requests.map(({ id, requested_by }) => (
        <List.Item key={`request ${id}`}>
          <AnchorLink
            size="sm"
            underline="always"
            to="/projects/$project_id/environments/$environment_id/change-requests"
            params={scope}
            search={{ id: String(id) }}
          >
            Change request {id}
          </AnchorLink>{' '}
          by {requested_by} can no longer be approved.
        </List.Item>
      ))}
    </List>
  )
}
