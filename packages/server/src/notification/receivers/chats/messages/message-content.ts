import { type ChangeRequest, cutLine, type DomainEventType, type Flag, formatShare } from '@burgee/contract'
import { assertNever } from '../../../../kernel/assert-never.ts'
import type { DomainEventPayload, DomainEventRecord } from '../../../../kernel/domain-event-payload.ts'
import { describeDetails } from './describe-details.ts'

export interface MessageSettings {
  /** The address of the dashboard without a slash at the end; null when it is not set. */
  readonly publicUrl: string | null
}

/**
 * The content of a message, before it gets a provider's format. Texts are plain, one short line each, and not
 * escaped.
 */
export interface MessageContent {
  /** The actor, the action, the flag and the environment. */
  readonly headline: string
  /** The effect on the flag: `rollout 10% -> 25%, rule 2 added`; empty when there is nothing to add. */
  readonly details: string
  readonly facts: readonly Fact[]
  readonly tone: Tone
  /** The color of the tone as `#rrggbb`. */
  readonly color: string
  /**
   * The link to the flag in the dashboard; null without a PUBLIC_URL, or when it is too long for a message.
   */
  readonly link: string | null
}

export interface Fact {
  readonly name: string
  readonly value: string
}

/**
 * The tone of a message by its event: queued amber, approved green, rejected or deleted red, all others blue.
 */
export type Tone = 'blue' | 'amber' | 'green' | 'red'

const COLORS: Readonly<Record<Tone, string>> = {
  blue: '#2563eb',
  amber: '#f59e0b',
  green: '#16a34a',
  red: '#dc2626',
}

const TONES: Readonly<Record<DomainEventType, Tone>> = {
  'flag.created': 'blue',
  'flag.updated': 'blue',
  'flag.deleted': 'red',
  'flag.promoted': 'blue',
  'change_request.opened': 'amber',
  'change_request.approved': 'green',
  'change_request.rejected': 'red',
}

const NAME_MAX = 120
const PERSON_MAX = 200
const DETAILS_MAX = 900
const REASON_MAX = 500
const LINK_MAX = 1_000
/** The replacement for empty texts, which providers refuse. */
const UNNAMED = 'unnamed'

/** Builds the content of a message for an event (docs/reference/events.md#slack-and-teams). */
export function toMessageContent(
  { event, type }: DomainEventRecord,
  { publicUrl }: MessageSettings,
): MessageContent {
  return {
    headline: `${person(event.actor_email)} ${describeDeed(type, event)}`,
    details: cutLine(describeDetails(type, event), DETAILS_MAX),
    facts: [
      ...flagFacts(event),
      ...requestFacts(type, event),
      ...overrideFacts(event),
      ...commentFacts(event),
    ],
    tone: TONES[type],
    color: COLORS[TONES[type]],
    link: toLink(event, publicUrl),
  }
}

function describeDeed(type: DomainEventType, event: DomainEventPayload): string {
  const { change_request, flag_key, previous, source_environment } = event
  const environment = place(event.environment.name)
  const flag = `flag ${cutLine(flag_key, NAME_MAX)}`
  const change = describeRequested(change_request?.operation)
  switch (type) {
    case 'flag.created':
      return `${previous === null ? 'created' : 'replaced'} ${flag} in ${environment}`
    case 'flag.updated':
      return `changed ${flag} in ${environment}`
    case 'flag.deleted':
      return `deleted ${flag} in ${environment}`
    case 'flag.promoted':
      return `promoted ${flag} from ${place(source_environment?.name ?? 'another environment')} to ${environment}`
    case 'change_request.opened':
      return `requests ${change} of ${flag} in ${environment}`
    case 'change_request.approved':
      return change_request?.bypass_reason == null
        ? `approved ${change} of ${flag} in ${environment}`
        : `applied ${change} of ${flag} in ${environment} without the approval of others`
    case 'change_request.rejected':
      return `rejected ${change} of ${flag} in ${environment}`
    default:
      return assertNever(type)
  }
}

function describeRequested(operation: ChangeRequest['operation'] | undefined): string {
  if (operation === 'delete') return 'the deletion'
  if (operation === 'unschedule') return 'the withdrawal of a scheduled change'
  return operation === 'create' ? 'the creation' : 'a change'
}

function flagFacts({ actor_email, environment, flag, flag_key, previous }: DomainEventPayload): Fact[] {
  const lastKnown = flag ?? previous
  return [
    { name: 'Environment', value: place(environment.name) },
    { name: 'Flag', value: cutLine(flag_key, NAME_MAX) },
    ...(lastKnown === null
      ? [{ name: 'State', value: 'deleted' }]
      : [
          { name: 'State', value: describeState(lastKnown, flag === null) },
          { name: 'Rollout', value: formatShare(lastKnown) ?? '100%' },
        ]),
    { name: 'By', value: person(actor_email) },
  ]
}

function describeState({ archived_at, is_enabled }: Flag, isDeleted: boolean): string {
  const state = is_enabled ? 'enabled' : 'disabled'
  if (isDeleted) return `deleted, was ${state}`
  return archived_at === null ? state : `${state}, archived`
}

function requestFacts(type: DomainEventType, { actor_email, change_request }: DomainEventPayload): Fact[] {
  if (change_request === undefined) return []
  const { requested_by, scheduled_at } = change_request
  return [
    ...(requested_by === actor_email ? [] : [{ name: 'Requested by', value: person(requested_by) }]),
    ...(scheduled_at === null ? [] : [{ name: 'Scheduled for', value: cutLine(scheduled_at, NAME_MAX) }]),
    ...(typeof change_request.bypass_reason === 'string'
      ? [{ name: 'Reason', value: cutLine(change_request.bypass_reason, REASON_MAX) }]
      : []),
    ...(type === 'change_request.rejected' ? [{ name: 'Reason', value: reason(change_request) }] : []),
  ]
}

function overrideFacts({ override }: DomainEventPayload): Fact[] {
  if (override === undefined) return []
  const keys = cutLine(override.invariants.join(', '), NAME_MAX)
  return [
    { name: 'Overrides invariants', value: keys },
    { name: 'Why', value: cutLine(override.reason, REASON_MAX) || UNNAMED },
  ]
}

function commentFacts({ comment = '' }: DomainEventPayload): Fact[] {
  const line = cutLine(comment, REASON_MAX)
  return line === '' ? [] : [{ name: 'Comment', value: line }]
}

function reason({ reason }: Pick<ChangeRequest, 'reason'>): string {
  const line = cutLine(reason ?? '', REASON_MAX)
  return line === '' ? 'none given' : line
}

const person = (name: string): string => cutLine(name, PERSON_MAX) || UNNAMED
const place = (name: string): string => cutLine(name, NAME_MAX) || UNNAMED

function toLink(
  { environment, flag_key, project_id }: DomainEventPayload,
  publicUrl: string | null,
): string | null {
  if (publicUrl === null) return null
  const [project, environment_id, flag] = [project_id, environment.id, flag_key].map(encodeURIComponent)
  const link = `${publicUrl}/projects/${project}/environments/${environment_id}/flags/${flag}`
  return link.length > LINK_MAX ? null : link
}
