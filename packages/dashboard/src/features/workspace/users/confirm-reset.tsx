import type { User } from '@burgee/contract'
import { call } from '../../../shared/api/call.ts'
import { confirm } from '../../../shared/ui/confirm.tsx'
import { notifySuccess } from '../../../shared/ui/notify.tsx'

/** Asks before all second factors of a user are removed. */
export function confirmReset({ email, id, name }: User): void {
  confirm({
    title: 'Reset two-step verification?',
    children: (
      <>
        The authenticator app and the recovery codes of <b>{name}</b> ({email}) end. The password alone logs
        them in, and they see that an admin did this. Make sure that it is they who ask.
      </>
    ),
    confirmLabel: 'Reset',
    onConfirm: async () => {
      await call('resetUserFactors', { params: { id } })
      notifySuccess({ message: `${name} can sign in with the password alone.` })
    },
  })
}
