import { List, ThemeIcon } from '@mantine/core'
import { IconCheck, IconCircleDashed } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useConnectionsOf } from '../../parts/connect-app/connected-environments.ts'
import { endpointQuery } from '../../shared/api/queries.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { AnchorLink } from '../../shared/ui/links.tsx'
import { Section } from '../../shared/ui/section.tsx'

/** The steps that a new project still lacks. The list is gone once everything is done. */
export function FirstSteps() {
  const { project_id, environment_id, environments } = useScope()
  const params = { env_id: environments[0]?.id ?? environment_id }
  const flags = useQuery({ ...endpointQuery('listFlags', { params }), enabled: params.env_id !== '' }).data
  const members = useQuery(endpointQuery('listMembers', { params: { project_id } })).data
  const connections = useConnectionsOf(environments)
  if (!flags || !members || connections.some((known) => known === undefined)) return null
  const to = { params: { project_id, environment_id: params.env_id } }
  const hasProgram = connections.some((known) => known?.last_connected_at !== null)
  const steps = [flags.length > 0, hasProgram, members.length > 1]
  if (steps.every(Boolean)) return null
  return (
    <Section title="First steps" isBoxed>
      <List spacing={6} size="sm" center aria-label="First steps">
        <List.Item icon={<StepIcon isDone={flags.length > 0} />}>
          <AnchorLink
            inherit
            to="/projects/$project_id/environments/$environment_id/flags"
            search={{ new: 'flag' }}
            {...to}
          >
            Create a flag
          </AnchorLink>
        </List.Item>
        <List.Item icon={<StepIcon isDone={hasProgram} />}>
          <AnchorLink inherit to="/projects/$project_id/environments/$environment_id/connect" {...to}>
            Connect a program
          </AnchorLink>
        </List.Item>
        <List.Item icon={<StepIcon isDone={members.length > 1} />}>
          <AnchorLink
            inherit
            to="/projects/$project_id/settings"
            params={{ project_id }}
            search={{ tab: 'members' }}
          >
            Add a member
          </AnchorLink>
        </List.Item>
      </List>
    </Section>
  )
}

const StepIcon = ({ isDone }: { readonly isDone: boolean }) => (
  <ThemeIcon
    size={20}
    radius="xl"
    variant="light"
    color={isDone ? 'teal' : 'gray'}
    aria-label={isDone ? 'Done:' : 'To do:'}
    role="img"
  >
    {isDone ? <IconCheck size={13} /> : <IconCircleDashed size={13} />}
  </ThemeIcon>
)
