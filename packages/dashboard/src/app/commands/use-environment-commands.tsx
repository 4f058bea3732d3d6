import { useQueries, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { endpointQuery } from '../../shared/api/queries.ts'
import { EnvironmentDot } from '../../shared/ui/environment-dot.tsx'
import { useWorkplace } from '../frame/use-workplace.ts'
import { type Command, describeCommand } from './command.ts'

/** Projects whose environments are read for the palette: one request each. */
const PROJECTS_READ = 12

/** The environments of the other projects. Those of this one are pages. */
export function useEnvironmentCommands(): Command[] {
  const navigate = useNavigate()
  const { project_id } = useWorkplace()
  const projects = useQuery(endpointQuery('listProjects', {})).data ?? []
  const others = projects.filter(({ id }) => id !== project_id).slice(0, PROJECTS_READ)
  const lists = useQueries({
    queries: others.map(({ id }) => endpointQuery('listEnvironments', { params: { project_id: id } })),
  })
  return others.flatMap((project, at) =>
    (lists[at]?.data ?? []).map(({ id, name, slug, color }) =>
      describeCommand({
        id: `environment ${id}`,
        group: 'Environments',
        label: `${project.name}: ${name}`,
        words: `${slug} ${project.slug} environment`,
        icon: <EnvironmentDot color={color} size={12} />,
        run: () =>
          navigate({
            to: '/projects/$project_id/environments/$environment_id/flags',
            params: { project_id: project.id, environment_id: id },
          }),
      }),
    ),
  )
}
