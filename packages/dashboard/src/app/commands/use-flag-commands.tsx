import type { Flag } from '@burgee/contract'
import { IconArrowRight, IconToggleLeft, IconToggleRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { switchQuestion } from '../../parts/flag-writes/switch-question.ts'
import { useSwitchFlag } from '../../parts/flag-writes/use-switch-flag.ts'
import { endpointQuery } from '../../shared/api/queries.ts'
import { usePermissions } from '../../shared/scope/use-permissions.ts'
import { useWorkplace } from '../frame/use-workplace.ts'
import { type Command, describeCommand } from './command.ts'
import { findFlagsMeant } from './find-flags-meant.ts'

const ICON = { size: 17, stroke: 1.6 }
const GROUP = 'Actions on flags'

/** Switches the flags that the query may mean, and opens them in other environments. */
export function useFlagCommands(query: string): Command[] {
  const navigate = useNavigate()
  const { project_id, environment_id, environment, environments } = useWorkplace()
  const flags = useQuery({
    ...endpointQuery('listFlags', { params: { env_id: environment_id } }),
    enabled: environment_id !== '',
  }).data
  const permission = usePermissions(project_id)('patchFlag')
  const onSwitch = useSwitchFlag({ project_id, environment_id })

  const switching = (flag: Flag): Command => {
    const { is_enabled, key } = flag
    const verb = is_enabled ? 'Turn off' : 'Turn on'
    const run = (comment?: string) => onSwitch(key, !is_enabled, { comment })
    return describeCommand({
      id: `switch ${key}`,
      group: GROUP,
      label: `${verb} ${key}`,
      words: is_enabled ? 'switch disable' : 'switch enable',
      description: permission.isAllowed ? `In ${environment?.name ?? 'this environment'}` : permission.reason,
      isDisabled: !permission.isAllowed,
      icon: is_enabled ? <IconToggleLeft {...ICON} /> : <IconToggleRight {...ICON} />,
      run: async () => {
        if (!environment || switchQuestion(environment) === null) return run()
        // The palette is on every page: it loads the question with its first use.
        const { confirmSwitch } = await import('../../parts/flag-writes/confirm-switch.tsx')
        confirmSwitch({ flag, project_id, environment, onConfirm: async (comment) => run(comment) })
      },
    })
  }
  const opening = ({ key }: Flag): Command[] =>
    environments
      .filter(({ id }) => id !== environment_id)
      .map(({ id, name, slug }) =>
        describeCommand({
          id: `open ${key} ${id}`,
          group: GROUP,
          label: `Open ${key} in ${name}`,
          words: `go to ${slug}`,
          icon: <IconArrowRight {...ICON} />,
          run: () =>
            navigate({
              to: '/projects/$project_id/environments/$environment_id/flags/$flag_key',
              params: { project_id, environment_id: id, flag_key: key },
            }),
        }),
      )
  const meant = findFlagsMeant(flags ?? [], query)
  return [...meant.map(switching), ...meant.flatMap(opening)]
}
