import type { User } from '@burgee/contract'
import { DisableUserDialog } from './disable-user-dialog.tsx'
import { UserAccessDialog } from './user-access-dialog.tsx'
import { UserLinkDialog } from './user-link-dialog.tsx'
import type { UserAct } from './user-menu.tsx'

interface UserActDialogProps {
  readonly act: UserAct
  readonly user: User
  readonly onClose: () => void
}

/** The dialog of an item of a user's menu. */
export function UserActDialog({ act, user, onClose }: UserActDialogProps) {
  switch (act) {
    case 'access':
      return <UserAccessDialog user={user} onClose={onClose} />
    case 'disable':
      return <DisableUserDialog user={user} onClose={onClose} />
    case 'link':
      return <UserLinkDialog user={user} onClose={onClose} />
  }
}
