import type { ServiceAccount } from '@burgee/contract'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../../shared/api/call.ts'
import { refresh } from '../../../shared/api/queries.ts'
import { confirm } from '../../../shared/ui/confirm.tsx'
import { notifyFailure, notifySuccess } from '../../../shared/ui/notify.tsx'

/** Returns what the menu of a service account does. */
export function useAccountActions({ id, name }: ServiceAccount) {
  const client = useQueryClient()
  const setDisabled = async (is_disabled: boolean) => {
    await call('updateServiceAccount', { params: { id }, body: { is_disabled } })
    await refresh(client, 'listServiceAccounts', 'listServiceAccountTokens')
    notifySuccess({
      message: is_disabled ? `${name} is disabled.` : `${name} is enabled. It needs a new token.`,
    })
  }
  return {
    confirmDisable: () =>
      confirm({
        title: 'Disable this service account?',
        children: (
          <>
            The tokens of <b>{name}</b> stop working at once, and do not come back when it is enabled again.
            Memberships, history and scheduled changes stay.
          </>
        ),
        confirmLabel: 'Disable',
        onConfirm: () => setDisabled(true),
      }),
    enable: async () => {
      try {
        await setDisabled(false)
      } catch (error) {
        notifyFailure('The service account is still disabled', error)
      }
    },
    confirmDelete: () =>
      confirm({
        title: 'Delete this service account?',
        children: (
          <>
            The tokens of <b>{name}</b> stop working at once, and its memberships end. What it did stays in
            the audit log. This cannot be undone.
          </>
        ),
        confirmLabel: 'Delete service account',
        onConfirm: async () => {
          await call('deleteServiceAccount', { params: { id } })
          await refresh(client, 'listServiceAccounts', 'listMembers', 'listMemberCandidates')
          notifySuccess({ message: 'The service account is deleted.' })
        },
      }),
  }
}
