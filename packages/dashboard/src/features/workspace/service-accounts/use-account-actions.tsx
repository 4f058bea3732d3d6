import type { ServiceAccount } from '@burgee/contract'
import { call } from '../../../shared/api/call.ts'
import { confirm } from '../../../shared/forms/confirm.tsx'
import { notifyFailure, notifySuccess } from '../../../shared/ui/notify.tsx'
import { describeSettled } from '../describe-settled.ts'
import type { Schedules } from '../schedule-choice.tsx'

/** Returns what the menu of a service account does. */
export function useAccountActions({ id, name }: ServiceAccount) {
  return {
    disable: async (schedules: Schedules) => {
      const body = { is_disabled: true, schedules }
      const updated = await call('updateServiceAccount', { params: { id }, body })
      notifySuccess({ message: `${name} is disabled.${describeSettled(updated.schedules)}` })
    },
    enable: async () => {
      try {
        await call('updateServiceAccount', { params: { id }, body: { is_disabled: false } })
        notifySuccess({ message: `${name} is enabled. It needs a new token.` })
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
          notifySuccess({ message: 'The service account is deleted.' })
        },
      }),
  }
}
