import type { CustomRole } from '@burgee/contract'
import { call } from '../../../shared/api/call.ts'
import { confirm } from '../../../shared/forms/confirm.tsx'
import { notifySuccess } from '../../../shared/ui/notify.tsx'

/** Opens the confirmation before a role is deleted. */
export function useDeleteRole({ key, name }: CustomRole): () => void {
  return () =>
    confirm({
      title: 'Delete this role?',
      children: (
        <>
          No member has the role <b>{name}</b>. It can no longer be given to one.
        </>
      ),
      confirmLabel: 'Delete role',
      onConfirm: async () => {
        await call('deleteRole', { params: { key } })
        notifySuccess({ message: 'The role is deleted.' })
      },
    })
}
