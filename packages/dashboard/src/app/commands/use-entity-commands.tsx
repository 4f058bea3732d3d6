import { IconBriefcase, IconFlag3, IconFlask, IconUsersGroup } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { endpointQuery } from '../../shared/api/queries.ts'
import { useWorkplace } from '../frame/use-workplace.ts'
import { type Command, describeCommand } from './command.ts'

const ICON = { size: 17, stroke: 1.6 }
const HERE = '/projects/$project_id/environments/$environment_id'

/** Flags, segments and experiments of the environment, and the projects. */
export function useEntityCommands(): Command[] {
  const navigate = useNavigate()
  const { project_id, environment_id } = useWorkplace()
  const here = { params: { env_id: environment_id } }
  const enabled = environment_id !== ''
  const flags = useQuery({ ...endpointQuery('listFlags', here), enabled }).data
  const segments = useQuery({ ...endpointQuery('listSegments', here), enabled }).data
  const experiments = useQuery({ ...endpointQuery('listExperiments', here), enabled }).data
  const projects = useQuery(endpointQuery('listProjects', {})).data
  return useMemo(() => {
    const params = { project_id, environment_id }
    return [
      ...(flags ?? []).map(({ key, description, tags, archived_at }) =>
        entity('Flags', key, {
          words: `${tags.join(' ')} ${archived_at ? 'archived' : ''}`,
          description: archived_at ? `Archived. ${description ?? ''}` : (description ?? undefined),
          icon: <IconFlag3 {...ICON} />,
          run: () => navigate({ to: `${HERE}/flags/$flag_key`, params: { ...params, flag_key: key } }),
        }),
      ),
      ...(segments ?? []).map(({ key, name, description }) =>
        entity('Segments', key, {
          words: description ?? '',
          description: name,
          icon: <IconUsersGroup {...ICON} />,
          run: () =>
            navigate({ to: `${HERE}/segments/$segment_key`, params: { ...params, segment_key: key } }),
        }),
      ),
      ...(experiments ?? []).map(({ key, name, flag_key }) =>
        entity('Experiments', name, {
          words: `${key} ${flag_key}`,
          description: key,
          icon: <IconFlask {...ICON} />,
          run: () =>
            navigate({
              to: `${HERE}/experiments/$experiment_key`,
              params: { ...params, experiment_key: key },
            }),
        }),
      ),
      ...(projects ?? []).map(({ id, name, slug }) =>
        entity('Projects', name, {
          id,
          words: `${slug} project`,
          icon: <IconBriefcase {...ICON} />,
          run: () => navigate({ to: '/projects/$project_id', params: { project_id: id } }),
        }),
      ),
    ]
  }, [flags, segments, experiments, projects, project_id, environment_id, navigate])
}

type Rest = Pick<Command, 'icon' | 'run' | 'description'> & { readonly id?: string; readonly words?: string }

const entity = (group: string, label: string, rest: Rest): Command =>
  describeCommand({ group, label, isSearchedOnly: true, ...rest, id: `${group} ${rest.id ?? label}` })
