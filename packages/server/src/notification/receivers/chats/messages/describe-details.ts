import { describeFlagChange, type Flag } from '@burgee/contract'
import type { DomainEventPayload, DomainEventRecord } from '../../../../kernel/domain-event-payload.ts'
import { toCreatedFlag, toProposedFlag } from './proposed-flag.ts'

/**
 * Describes the effect of an event on the flag in one sentence: what has changed, or, when a change request
 * waits or was rejected, what was requested. Empty when the headline states everything.
 */
export function describeDetails(type: DomainEventRecord['type'], event: DomainEventPayload): string {
  const { change_request, flag, previous } = event
  switch (type) {
    case 'flag.deleted':
      return ''
    case 'flag.created':
    case 'flag.updated':
    case 'flag.promoted':
      return toSentence(previous === null ? describeFlagChange(null, flag).slice(1) : changes(previous, flag))
    case 'change_request.opened':
    case 'change_request.approved':
    case 'change_request.rejected':
      return change_request === undefined ? '' : toSentence(describeRequest(change_request, event))
  }
}

function changes(before: Flag, after: Flag | null): string[] {
  const phrases = describeFlagChange(before, after)
  return phrases.length === 0 ? ['nothing is different'] : phrases
}

function describeRequest(
  { operation, patch }: NonNullable<DomainEventPayload['change_request']>,
  { flag, flag_key, previous }: DomainEventPayload,
): string[] {
  if (operation === 'delete' || operation === 'unschedule') return []
  if (operation === 'create') return describeFlagChange(null, flag ?? toCreatedFlag(flag_key, patch)).slice(1)
  const done = previous === null ? [] : describeFlagChange(previous, flag)
  if (done.length > 0) return done
  const proposed = flag === null ? null : toProposedFlag(flag, patch)
  if (flag !== null && proposed !== null) return changes(flag, proposed)
  const fields = Object.keys(patch)
  return fields.length === 0
    ? []
    : [`changes ${fields.map((field) => field.replaceAll('_', ' ')).join(', ')}`]
}

/** Joins phrases. Those with commas are separated by semicolons. */
const toSentence = (phrases: readonly string[]): string =>
  phrases.join(phrases.some((phrase) => phrase.includes(', ')) ? '; ' : ', ')
