/** Describes an action of the audit log as something done to the flag. */
export function describeAction(action: string): string {
  switch (action) {
    case 'create':
      return 'created it'
    case 'update':
      return 'changed it'
    case 'promote':
      return 'promoted it here'
    case 'restore':
      return 'restored an earlier revision'
    case 'archive':
      return 'archived it'
    case 'unarchive':
      return 'unarchived it'
    case 'change_request.approve':
      return 'approved a change'
    default:
      return action.replaceAll('_', ' ')
  }
}
