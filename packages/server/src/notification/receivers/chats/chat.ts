import type { DomainEventType, Integration, IntegrationInput, IntegrationPatch } from '@burgee/contract'
import { elideUrl } from '../../../kernel/elide-url.ts'
import { invalid } from '../../../kernel/refusal.ts'
import { findTargetProblem } from '../../../platform/outbound/find-target-problem.ts'
import type { ReceiverDeps, ReceiverKind } from '../receiver.ts'

/** A stored chat integration. Its address is a credential: with it, anyone can write into the chat. */
export interface StoredChat extends Omit<Integration, 'events'> {
  readonly events: DomainEventType[]
  readonly webhook_url_sealed: string
}

const toShown = ({ webhook_url_sealed: _, ...chat }: StoredChat): Integration => chat

/** A channel of Slack or Teams, with messages for people (docs/reference/events.md#slack-and-teams). */
export const CHAT: ReceiverKind<StoredChat, Integration, IntegrationInput, IntegrationPatch> = {
  noun: 'integration',
  tables: {
    receivers: 'integrations',
    log: 'integration_deliveries',
    logKey: 'integration_id',
    columns: [
      'id',
      'environment_id',
      'kind',
      'name',
      'webhook_url_preview',
      'webhook_url_sealed',
      'events',
      'enabled',
      'created_at',
    ],
  },
  toShown,
  toAudited: toShown,
  create(deps, { enabled = true, events, kind, name, webhook_url }) {
    const address = toAddress(deps, webhook_url)
    return ({ created_at, environment_id, id }) => ({
      id,
      environment_id,
      kind,
      name,
      ...address,
      events: distinct(events),
      enabled,
      created_at,
    })
  },
  change(deps, { enabled, events, name, webhook_url }) {
    return {
      ...(name !== undefined && { name }),
      ...(webhook_url !== undefined && toAddress(deps, webhook_url)),
      ...(events !== undefined && { events: distinct(events) }),
      ...(enabled !== undefined && { enabled }),
    }
  },
  eventsOf: ({ events }) => events,
  warningsOf: () => [],
}

/** Null means all events, as an empty list does. */
const distinct = (events: readonly DomainEventType[] | null | undefined): DomainEventType[] => [
  ...new Set(events ?? []),
]

/** Returns the stored form of an address. The message of a refusal does not repeat it. */
function toAddress({ data_key, privateTargets }: ReceiverDeps, url: string) {
  const message = findTargetProblem(url, { kind: 'chat', privateTargets })
  if (message !== null) throw invalid([{ path: '/webhook_url', message }])
  return { webhook_url_sealed: data_key.seal(url), webhook_url_preview: elideUrl(url) }
}
