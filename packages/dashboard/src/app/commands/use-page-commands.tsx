import {
  IconChecklist,
  IconFileImport,
  IconFolders,
  IconHistory,
  IconUser,
  IconUsers,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useMe } from '../../shared/scope/use-me.ts'
import { EnvironmentDot } from '../../shared/ui/environment-dot.tsx'
import { ENVIRONMENT_PAGES, PROJECT_PAGES } from '../frame/pages.tsx'
import { useEnvironmentPage } from '../frame/use-environment-page.ts'
import { useWorkplace } from '../frame/use-workplace.ts'
import { type Command, describeCommand } from './command.ts'

const ICON = { size: 17, stroke: 1.6 }
export const ENVIRONMENTS = 'Switch environment'

/** The ways to the pages of where one is, and to the other environments. */
export function usePageCommands(): Command[] {
  const navigate = useNavigate()
  const workspacePages = useWorkspaceCommands()
  const page = useEnvironmentPage()
  const { project_id, environment_id, environments } = useWorkplace()
  const pages = ENVIRONMENT_PAGES.map(({ to, label, icon }) =>
    describeCommand({
      id: `page ${to}`,
      group: 'Pages',
      label,
      icon,
      run: () =>
        navigate({
          to: `/projects/$project_id/environments/$environment_id/${to}`,
          params: { project_id, environment_id },
        }),
    }),
  )
  const projectPages = PROJECT_PAGES.map(({ to, label, icon }) =>
    describeCommand({
      id: `project page ${to}`,
      group: 'Pages',
      label,
      icon,
      words: 'environments keys members drift',
      run: () => navigate({ to: `/projects/$project_id/${to}`, params: { project_id } }),
    }),
  )
  const importFlags = describeCommand({
    id: 'import',
    group: 'Pages',
    label: 'Import flags from another service',
    words: 'migrate launchdarkly unleash flagd growthbook flagsmith goff configcat',
    icon: <IconFileImport {...ICON} />,
    run: () => navigate({ to: '/projects/$project_id/import', params: { project_id } }),
  })
  const others = environments.map(({ id, name, color, slug }) =>
    describeCommand({
      id: `environment ${id}`,
      group: ENVIRONMENTS,
      label: name,
      words: `${slug} environment`,
      icon: <EnvironmentDot color={color} size={12} />,
      run: () =>
        navigate({
          to: `/projects/$project_id/environments/$environment_id/${page}`,
          params: { project_id, environment_id: id },
        }),
    }),
  )
  return [
    ...(environment_id === '' ? [] : pages),
    ...(project_id === '' ? [] : [...projectPages, importFlags]),
    ...workspacePages,
    ...others,
  ]
}

/** The ways to the pages that belong to no project. */
function useWorkspaceCommands(): Command[] {
  const navigate = useNavigate()
  const me = useMe()
  return [
    describeCommand({
      id: 'projects',
      group: 'Pages',
      label: 'Projects',
      icon: <IconFolders {...ICON} />,
      run: () => navigate({ to: '/projects' }),
    }),
    describeCommand({
      id: 'all change requests',
      group: 'Pages',
      label: 'Change requests of all projects',
      words: 'waiting for me mine approve approvals review',
      icon: <IconChecklist {...ICON} />,
      run: () => navigate({ to: '/change-requests' }),
    }),
    describeCommand({
      id: 'account',
      group: 'Pages',
      label: 'My account',
      words: 'account profile',
      icon: <IconUser {...ICON} />,
      run: () => navigate({ to: '/account' }),
    }),
    ...(me?.role === 'admin'
      ? [
          describeCommand({
            id: 'workspace',
            group: 'Pages',
            label: 'Workspace and users',
            words: 'people accounts',
            icon: <IconUsers {...ICON} />,
            run: () => navigate({ to: '/workspace' }),
          }),
          describeCommand({
            id: 'workspace audit',
            group: 'Pages',
            label: 'Audit log of the workspace',
            words: 'all projects deleted history siem export',
            icon: <IconHistory {...ICON} />,
            run: () => navigate({ to: '/workspace/audit' }),
          }),
        ]
      : []),
  ]
}
