import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconKeyboard, IconLogout, IconMoon, IconPlus, IconSun } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { usePermissions } from '../../shared/scope/use-permissions.ts'
import { useLogOut } from '../frame/use-log-out.ts'
import { useWorkplace } from '../frame/use-workplace.ts'
import { type Command, describeCommand } from './command.ts'

const ICON = { size: 17, stroke: 1.6 }

/** The actions that are possible from anywhere. */
export function useActionCommands(onShortcuts: () => void): Command[] {
  const navigate = useNavigate()
  const logOut = useLogOut()
  const { project_id, environment_id, environment } = useWorkplace()
  const { isAllowed, reason } = usePermissions(project_id)('putFlag')
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme() === 'dark'
  const action = (command: Omit<Parameters<typeof describeCommand>[0], 'group'>) =>
    describeCommand({ ...command, group: 'Actions' })
  return [
    ...(environment_id === ''
      ? []
      : [
          action({
            id: 'new flag',
            label: 'Create flag',
            words: 'create add',
            description: isAllowed ? `In ${environment?.name ?? 'this environment'}` : reason,
            isDisabled: !isAllowed,
            icon: <IconPlus {...ICON} />,
            run: () =>
              navigate({
                to: '/projects/$project_id/environments/$environment_id/flags',
                params: { project_id, environment_id },
                search: { new: 'flag' },
              }),
          }),
        ]),
    action({
      id: 'colors',
      label: isDark ? 'Switch to the light theme' : 'Switch to the dark theme',
      words: 'appearance dark light mode toggle',
      icon: isDark ? <IconSun {...ICON} /> : <IconMoon {...ICON} />,
      run: () => setColorScheme(isDark ? 'light' : 'dark'),
    }),
    action({
      id: 'shortcuts',
      label: 'Keyboard shortcuts',
      words: 'help keys',
      icon: <IconKeyboard {...ICON} />,
      run: onShortcuts,
    }),
    action({
      id: 'sign out',
      label: 'Sign out',
      words: 'log out logout leave',
      icon: <IconLogout {...ICON} />,
      run: logOut,
    }),
  ]
}
