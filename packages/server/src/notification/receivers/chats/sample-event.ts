import type { ChangeRequest, DomainEventType, Flag } from '@burgee/contract'
import type { EnvironmentName } from '../../../kernel/domain-event.ts'
import type { DomainEventPayload, StoredRequest } from '../../../kernel/domain-event-payload.ts'

interface SampleOccasion {
  readonly project_id: string
  readonly environment: EnvironmentName
  /** The e-mail of the user who requested the sample. */
  readonly actor_email: string
  /** The time, ISO 8601 in UTC. */
  readonly now: string
}

const KEY = 'sample-flag'

const BEFORE: Flag = {
  key: KEY,
  is_enabled: true,
  rollout_percentage: 10,
  description: 'This is a test: there is no such flag.',
  rules: [],
  flag_type: 'boolean',
  default_value: true,
  disabled_value: false,
  variants: [],
  prerequisites: [],
  tags: [],
  owner_email: null,
  archived_at: null,
  revision: 1,
}
const AFTER: Flag = { ...BEFORE, rollout_percentage: 25, revision: 2 }

/** Creates a sample event in the way of real ones, so that a user sees what a chat receives. */
export function sampleEvent(type: DomainEventType, occasion: SampleOccasion): DomainEventPayload {
  const { actor_email, environment, project_id } = occasion
  const common = { project_id, environment, flag_key: KEY, actor_email }
  switch (type) {
    case 'flag.created':
      return { ...common, flag: BEFORE, previous: null }
    case 'flag.updated':
      return { ...common, flag: AFTER, previous: BEFORE }
    case 'flag.deleted':
      return { ...common, flag: null, previous: AFTER }
    case 'flag.promoted':
      return { ...common, flag: AFTER, previous: BEFORE, source_environment: environment }
    case 'change_request.opened':
      return { ...common, flag: BEFORE, previous: null, change_request: sampleRequest('pending', occasion) }
    case 'change_request.approved':
      return { ...common, flag: AFTER, previous: BEFORE, change_request: sampleRequest('approved', occasion) }
    case 'change_request.rejected':
      return { ...common, flag: BEFORE, previous: null, change_request: sampleRequest('rejected', occasion) }
  }
}

function sampleRequest(
  status: ChangeRequest['status'],
  { actor_email, environment, now }: SampleOccasion,
): StoredRequest {
  const patch = { rollout_percentage: AFTER.rollout_percentage }
  const isDecided = status !== 'pending'
  return {
    id: 1,
    environment_id: environment.id,
    flag_key: KEY,
    operation: 'patch',
    patch,
    body: { operation: 'patch', patch },
    scheduled_at: null,
    requested_by: actor_email,
    requested_with: { kind: 'session', name: null, created_by: [] },
    status,
    comment: 'The trial went well',
    review_comment: null,
    reviewed_by: isDecided ? actor_email : null,
    reason: status === 'rejected' ? 'A sample of a reason' : null,
    approvals: [],
    bypass_reason: null,
    created_at: now,
    reviewed_at: isDecided ? now : null,
  }
}
