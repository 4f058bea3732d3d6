import type { Environment, ListedFlag } from '@burgee/contract'
import { ActionIcon, Menu } from '@mantine/core'
import { IconArrowUpRight, IconDots, IconHistory, IconToggleLeft, IconToggleRight } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { announceOutcome } from '../../parts/flag-writes/announce-outcome.tsx'
import { confirmSwitch } from '../../parts/flag-writes/confirm-switch.tsx'
import { usePatchFlag } from '../../parts/flag-writes/use-patch-flag.ts'
import { PromoteDialog } from '../../parts/promote/promote-dialog.tsx'
import { usePromotePermission } from '../../parts/promote/use-promote-permission.ts'
import { readStale } from '../../shared/api/read-stale.ts'
import { type Permission, usePermissionsIn } from '../../shared/scope/use-permissions.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { GatedMenuItem } from '../../shared/ui/gated-menu-item.tsx'

interface CardActionsProps {
  readonly flag: ListedFlag
  readonly environment: Environment
}

const ICON_PX = 16
const ARCHIVED: Permission = { isAllowed: false, reason: 'It is archived. Unarchive it to switch it.' }

/** The actions on a flag in one of its environments. */
export function CardActions({ environment, flag }: CardActionsProps) {
  const { environments, project_id } = useScope()
  const navigate = useNavigate()
  const onSwitch = useConfirmedSwitch(environment)
  const mayPatch = usePermissionsIn()('patchFlag', environment.id)
  const mayPromote = usePromotePermission()({ source: environment, target: undefined })
  const [isPromoting, setPromoting] = useState(false)
  const params = { project_id, environment_id: environment.id, flag_key: flag.key }
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions in ${environment.name}`}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <GatedMenuItem
            permission={flag.archived_at === null || !mayPatch.isAllowed ? mayPatch : ARCHIVED}
            leftSection={
              flag.is_enabled ? <IconToggleLeft size={ICON_PX} /> : <IconToggleRight size={ICON_PX} />
            }
            onClick={() => onSwitch(flag)}
          >
            {flag.is_enabled ? 'Turn off…' : 'Turn on…'}
          </GatedMenuItem>
          <GatedMenuItem
            permission={mayPromote}
            leftSection={<IconArrowUpRight size={ICON_PX} />}
            onClick={() => setPromoting(true)}
          >
            Promote…
          </GatedMenuItem>
          <Menu.Item
            leftSection={<IconHistory size={ICON_PX} />}
            onClick={() =>
              void navigate({
                to: '/projects/$project_id/environments/$environment_id/flags/$flag_key',
                params,
                search: { tab: 'history' },
              })
            }
          >
            History
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <PromoteDialog
        flag={flag}
        source={environment}
        environments={environments}
        isOpen={isPromoting}
        onClose={() => setPromoting(false)}
      />
    </>
  )
}

/** Returns what opens the question before a switch, with the users whom it changes. */
function useConfirmedSwitch(environment: Environment): (flag: ListedFlag) => void {
  const { project_id } = useScope()
  const environment_id = environment.id
  const patch = usePatchFlag(environment_id)
  return (flag) => {
    const { is_enabled, key, revision } = flag
    confirmSwitch({
      flag,
      project_id,
      environment,
      onConfirm: async (comment) => {
        const outcome = await patch(key, { is_enabled: !is_enabled }, { comment, ifMatch: revision })
        announceOutcome(outcome, {
          done: `${key} is ${is_enabled ? 'off' : 'on'} in ${environment.name}`,
          project_id,
          environment_id,
        })
        await readStale()
      },
    })
  }
}
