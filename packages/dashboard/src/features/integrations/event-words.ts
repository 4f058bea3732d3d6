import type { DomainEventType } from '@burgee/contract'

interface EventWords {
  /** What it is about, by which events are grouped. */
  readonly group: 'Flags' | 'Change requests'
  readonly words: string
}

/** Every event in plain words; the compiler asks for the ones that are missing. */
export const EVENT_WORDS: Readonly<Record<DomainEventType, EventWords>> = {
  'flag.created': { group: 'Flags', words: 'A flag is created or replaced' },
  'flag.updated': { group: 'Flags', words: 'A flag is changed, archived or restored' },
  'flag.deleted': { group: 'Flags', words: 'A flag is deleted' },
  'flag.promoted': { group: 'Flags', words: 'A flag is promoted to this environment' },
  'change_request.opened': { group: 'Change requests', words: 'A change waits for approval' },
  'change_request.approved': { group: 'Change requests', words: 'A change is approved' },
  'change_request.rejected': { group: 'Change requests', words: 'A change is rejected' },
}
