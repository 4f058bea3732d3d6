import { AUDIT_ACTIONS } from '@burgee/contract'

/** The choices of the action: those of the log, and switching a flag. */
export const ACTION_CHOICES = [
  { value: '', label: 'Any action' },
  { value: 'switched_on', label: 'switched on' },
  { value: 'switched_off', label: 'switched off' },
  ...AUDIT_ACTIONS.map((action) => ({
    value: action as string,
    label: action.replace('change_request.', 'change request: ').replace('auth.', 'access: '),
  })),
]
