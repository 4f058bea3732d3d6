import type { Environment } from '@burgee/contract'
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconPencil, IconStar, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../../shared/api/call.ts'
import { refresh } from '../../../shared/api/queries.ts'
import { useMe } from '../../../shared/scope/use-me.ts'
import { usePermissions } from '../../../shared/scope/use-permissions.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { confirm } from '../../../shared/ui/confirm.tsx'
import { GatedMenuItem } from '../../../shared/ui/gated-menu-item.tsx'
import { notifyFailure, notifySuccess } from '../../../shared/ui/notify.tsx'
import { assessDeletion } from './assess-environment.ts'

interface EnvironmentMenuProps {
  readonly environment: Environment
  readonly isLast: boolean
  readonly onEdit: () => void
}

export function EnvironmentMenu({ environment, isLast, onEdit }: EnvironmentMenuProps) {
  const may = usePermissions()
  const isWorkspaceAdmin = useMe()?.role === 'admin'
  const { confirmDelete, makeDefault } = useEnvironmentActions(environment)
  const circumstances = { environment, isLast, isWorkspaceAdmin }
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={30} aria-label={`Actions for ${environment.name}`}>
          <IconDots size={17} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <GatedMenuItem
          permission={may('updateEnvironment')}
          leftSection={<IconPencil size={15} />}
          onClick={onEdit}
        >
          Edit
        </GatedMenuItem>
        <GatedMenuItem
          permission={
            environment.is_default
              ? { isAllowed: false, reason: 'It is the default already.' }
              : may('makeEnvironmentDefault')
          }
          leftSection={<IconStar size={15} />}
          onClick={() => void makeDefault()}
        >
          Make default
        </GatedMenuItem>
        <Menu.Divider />
        <GatedMenuItem
          permission={assessDeletion(may('deleteEnvironment'), circumstances)}
          color="red"
          leftSection={<IconTrash size={15} />}
          onClick={confirmDelete}
        >
          Delete
        </GatedMenuItem>
      </Menu.Dropdown>
    </Menu>
  )
}

function useEnvironmentActions({ id, name, slug }: Environment) {
  const client = useQueryClient()
  const { project_id } = useScope()
  const params = { project_id, env_id: id }
  const makeDefault = async () => {
    try {
      await call('makeEnvironmentDefault', { params })
      await refresh(client, 'listEnvironments')
      notifySuccess({ message: 'This environment is the default now.' })
    } catch (error) {
      notifyFailure('The default was not changed', error)
    }
  }
  const confirmDelete = () =>
    confirm({
      title: 'Delete this environment?',
      children: (
        <>
          <b>{name}</b> goes with its flags, segments, SDK keys, impressions and experiments. SDKs that use it
          are disconnected at once. This cannot be undone.
        </>
      ),
      confirmLabel: 'Delete environment',
      typed: slug,
      onConfirm: async () => {
        await call('deleteEnvironment', { params })
        await refresh(client, 'listEnvironments', 'listProjects', 'listSdkKeys')
        notifySuccess({ message: 'The environment is deleted.' })
      },
    })
  return { confirmDelete, makeDefault }
}
