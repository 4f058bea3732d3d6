import type { Flag } from '@burgee/contract'
import { ActionIcon, Button, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconArchive, IconArchiveOff, IconArrowUpRight, IconDots, IconTrash } from '@tabler/icons-react'
import { PromoteDialog } from '../../../parts/promote/promote-dialog.tsx'
import { usePermissions } from '../../../shared/scope/use-permissions.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { Gated } from '../../../shared/ui/gated.tsx'
import { ArchiveFlagDialog } from './archive-flag-dialog.tsx'
import { DeleteFlagDialog } from './delete-flag-dialog.tsx'
import { useArchive } from './use-archive.ts'

/** The actions on the whole flag: promote, archive, unarchive, delete. */
export function FlagActions({ flag }: { readonly flag: Flag }) {
  const permission = usePermissions()('deleteFlag')
  const { environment, environments } = useScope()
  const { unarchive } = useArchive(flag)
  const [isPromoting, promoting] = useDisclosure(false)
  const [isArchiving, archiving] = useDisclosure(false)
  const [is_deleting, deleting] = useDisclosure(false)
  const isArchived = flag.archived_at !== null
  return (
    <>
      <Gated permission={permission}>
        <Button
          variant="default"
          size="sm"
          leftSection={<IconArrowUpRight size={16} />}
          onClick={promoting.open}
        >
          Promote
        </Button>
      </Gated>
      <Menu position="bottom-end" withinPortal={false}>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label="More actions for this flag">
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {!permission.isAllowed && <Menu.Label maw={240}>{permission.reason}</Menu.Label>}
          {isArchived ? (
            <Menu.Item
              leftSection={<IconArchiveOff size={16} />}
              disabled={!permission.isAllowed}
              onClick={unarchive}
            >
              Unarchive
            </Menu.Item>
          ) : (
            <Menu.Item
              leftSection={<IconArchive size={16} />}
              disabled={!permission.isAllowed}
              onClick={archiving.open}
            >
              Archive…
            </Menu.Item>
          )}
          <Menu.Item
            c="var(--mantine-color-error)"
            leftSection={<IconTrash size={16} />}
            disabled={!permission.isAllowed}
            onClick={deleting.open}
          >
            Delete…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {environment && (
        <>
          <PromoteDialog
            flag={flag}
            source={environment}
            environments={environments}
            isOpen={isPromoting}
            onClose={promoting.close}
          />
          <ArchiveFlagDialog
            flag={flag}
            environment={environment}
            isOpen={isArchiving}
            onClose={archiving.close}
          />
          <DeleteFlagDialog
            flag={flag}
            environment={environment}
            isOpen={is_deleting}
            onClose={deleting.close}
          />
        </>
      )}
    </>
  )
}
