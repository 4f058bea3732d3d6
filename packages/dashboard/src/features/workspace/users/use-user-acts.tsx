import type { User } from '@burgee/contract'
import { call } from '../../../shared/api/call.ts'
import { confirm } from '../../../shared/forms/confirm.tsx'
import { notifyFailure, notifySuccess } from '../../../shared/ui/notify.tsx'

/** The acts of an admin on a user: at once, or after a confirmation. */
export function useUserActs(user: User) {
  const { email, id, name } = user
  const attempt = async (name: 'enableUser' | 'unlockUser', failure: string) => {
    try {
      await call(name, { params: { id } })
      notifySuccess({ message: `${user.name} can sign in again.` })
    } catch (error) {
      notifyFailure(failure, error)
    }
  }
  const person = (
    <>
      <b>{name}</b> ({email})
    </>
  )
  return {
    enable: () => void attempt('enableUser', 'The user is still disabled'),
    unlock: () => void attempt('unlockUser', 'The user is still locked'),
    resetFactors: () =>
      confirm({
        title: 'Reset two-step verification?',
        children: (
          <>
            The second factors and the recovery codes of {person} end. The password alone signs them in, and
            they see that an admin did this. Where this server sends e-mail, they receive one. Make sure that
            it is they who ask.
          </>
        ),
        confirmLabel: 'Reset',
        onConfirm: async () => {
          await call('resetUserFactors', { params: { id } })
          notifySuccess({ message: `${name} can sign in with the password alone.` })
        },
      }),
    unlink: () =>
      confirm({
        title: 'Unlink single sign-on?',
        children: (
          <>
            {person} no longer signs in with the identity provider, and is signed out at once. Roles that its
            groups gave are taken away.{' '}
            {user.has_password
              ? 'The password still signs them in.'
              : 'They have no password: create a link for one, or they link the account again.'}
          </>
        ),
        confirmLabel: 'Unlink',
        onConfirm: async () => {
          await call('unlinkUserIdentity', { params: { id } })
          notifySuccess({ message: `${name} is no longer linked with the identity provider.` })
        },
      }),
    remove: () =>
      confirm({
        title: 'Delete this user?',
        children: (
          <>
            {person} is signed out at once; their tokens stop working and their memberships end. What they did
            stays in the audit log. This cannot be undone.
          </>
        ),
        confirmLabel: 'Delete user',
        onConfirm: async () => {
          await call('deleteUser', { params: { id } })
          notifySuccess({ message: 'The user is deleted.' })
        },
      }),
  }
}
