import type { BulkInput } from '@burgee/contract'

type Action = BulkInput['action']

/** The verb of an action, on its button, while it runs, and afterwards. */
export const BULK_LABELS: Readonly<
  Record<Action, { readonly verb: string; readonly running: string; readonly done: string }>
> = {
  enable: { verb: 'Turn on', running: 'Turning on', done: 'Turned on' },
  disable: { verb: 'Turn off', running: 'Turning off', done: 'Turned off' },
  archive: { verb: 'Archive', running: 'Archiving', done: 'Archived' },
  unarchive: { verb: 'Unarchive', running: 'Unarchiving', done: 'Unarchived' },
  delete: { verb: 'Delete', running: 'Deleting', done: 'Deleted' },
  add_tags: { verb: 'Add tags', running: 'Adding tags to', done: 'Added tags to' },
  remove_tags: { verb: 'Remove tags', running: 'Removing tags from', done: 'Removed tags from' },
}
