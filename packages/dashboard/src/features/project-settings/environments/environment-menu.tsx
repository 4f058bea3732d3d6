import type { Environment } from '@burgee/contract'
import { ActionIcon, Alert, Menu } from '@mantine/core'
import { IconAlertTriangle, IconDots, IconPencil, IconStar, IconTrash, IconUsers } from '@tabler/icons-react'
import { useState } from 'react'
import { call } from '../../../shared/api/call.ts'
import { confirm } from '../../../shared/forms/confirm.tsx'
import { useMe } from '../../../shared/scope/use-me.ts'
import { usePermissions } from '../../../shared/scope/use-permissions.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { GatedMenuItem } from '../../../shared/ui/gated-menu-item.tsx'
import { notifySuccess } from '../../../shared/ui/notify.tsx'
import { SeenUsersDialog } from '../seen-users/seen-users-dialog.tsx'
import { assessDeletion } from './assess-environment.ts'

interface EnvironmentMenuProps {
  readonly environment: Environment
  readonly isLast: boolean
  readonly onEdit: () => void
}

export function EnvironmentMenu({ environment, isLast, onEdit }: EnvironmentMenuProps) {
  const may = usePermissions(undefined, environment.id)
  const isWorkspaceAdmin = useMe()?.role === 'admin'
  const { confirmDelete, makeDefault } = useEnvironmentActions(environment)
  const circumstances = { environment, isLast, isWorkspaceAdmin }
  const [isSeenUsersOpen, setSeenUsersOpen] = useState(false)
  return (
    <>
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
            permission={may('updateEnvironment')}
            leftSection={<IconUsers size={15} />}
            onClick={() => setSeenUsersOpen(true)}
          >
            Seen users
          </GatedMenuItem>
          <GatedMenuItem
            permission={
              environment.is_default
                ? { isAllowed: false, reason: 'It is the default already.' }
                : may('makeEnvironmentDefault')
            }
            leftSection={<IconStar size={15} />}
            onClick={makeDefault}
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
      {isSeenUsersOpen && (
        <SeenUsersDialog environment={environment} onClose={() => setSeenUsersOpen(false)} />
      )}
    </>
  )
}

function useEnvironmentActions({ id, name, slug }: Environment) {
  const { project_id, environments } = useScope()
  const params = { project_id, env_id: id }
  const former = environments.find(({ is_default }) => is_default)
  const makeDefault = () =>
    confirm({
      title: `Make ${name} the default?`,
      tone: 'calm',
      children: (
        <>
          <b>{name}</b> becomes the default environment of the project
          {former && (
            <>
              {' '}
              in place of <b>{former.name}</b>
            </>
          )}
          .{former?.has_legacy_key && <LegacyKeyNotice from={former.name} to={name} />}
        </>
      ),
      confirmLabel: 'Make default',
      onConfirm: async () => {
        await call('makeEnvironmentDefault', { params })
        notifySuccess({ message: `${name} is the default environment now.` })
      },
    })
  const confirmDelete = () =>
    confirm({
      title: 'Delete this environment?',
      children: (
        <>
          <b>{name}</b> is deleted with its flags, segments, SDK keys, impressions and experiments. SDKs that
          use it are disconnected at once. This cannot be undone.
        </>
      ),
      confirmLabel: 'Delete environment',
      typed: slug,
      onConfirm: async () => {
        await call('deleteEnvironment', { params })
        notifySuccess({ message: 'The environment is deleted.' })
      },
    })
  return { confirmDelete, makeDefault }
}

/** The key of the setting SDK_KEY belongs to the default environment (docs/reference/access.md). */
function LegacyKeyNotice({ from, to }: { readonly from: string; readonly to: string }) {
  return (
    <Alert
      mt="sm"
      color="yellow"
      variant="light"
      icon={<IconAlertTriangle size={18} />}
      title="The key of the setting SDK_KEY moves as well"
    >
      It is a key of {from} now. Programs that use it then receive the flags of {to}.
    </Alert>
  )
}
