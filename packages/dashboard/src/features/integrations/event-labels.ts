import type { DomainEventType } from '@burgee/contract'

interface EventLabel {
  /** The subject of the event, by which events are grouped. */
  readonly group: 'Flags' | 'Change requests'
  readonly label: string
}

/** Every event in plain words. The compiler reports the ones that are missing. */
export const EVENT_LABELS: Readonly<Record<DomainEventType, EventLabel>> = {
  'flag.created': { group: 'Flags', label: 'A flag is created or replaced' },
  'flag.updated': { group: 'Flags', label: 'A flag is changed, archived or restored' },
  'flag.deleted': { group: 'Flags', label: 'A flag is deleted' },
  'flag.promoted': { group: 'Flags', label: 'A flag is promoted to this environment' },
  'change_request.opened': { group: 'Change requests', label: 'A change waits for approval' },
  'change_request.approved': { group: 'Change requests', label: 'A change is approved' },
  'change_request.rejected': { group: 'Change requests', label: 'A change is rejected' },
}
