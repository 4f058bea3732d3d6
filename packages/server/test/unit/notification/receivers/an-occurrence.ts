import type { DomainEventType, Flag } from '@burgee/contract'
import type { DomainEventPayload, DomainEventRecord } from '../../../../src/kernel/domain-event-payload.ts'

export const PROJECT_ID = '0d9f2c7a-51c4-4b8e-9a63-7e2f1b84c5d0'
export const ENVIRONMENT_ID = '3f0a5c1e-8f7b-4d2a-9c64-2b1d7e90a4c8'

export const aFlag = (changes: Partial<Flag> = {}): Flag => ({
  key: 'new_checkout',
  is_enabled: true,
  rollout_percentage: 10,
  description: null,
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
  ...changes,
})

type StoredRequest = NonNullable<DomainEventPayload['change_request']>

export const aRequest = (changes: Partial<StoredRequest> = {}): StoredRequest => ({
  id: 7,
  environment_id: ENVIRONMENT_ID,
  flag_key: 'new_checkout',
  operation: 'patch',
  patch: { rollout_percentage: 25 },
  body: { operation: 'patch', patch: { rollout_percentage: 25 } },
  approvals: [],
  bypass_reason: null,
  scheduled_at: null,
  requested_by: 'grace@example.com',
  requested_with: { kind: 'session', name: null, created_by: [] },
  status: 'pending',
  comment: null,
  review_comment: null,
  reviewed_by: null,
  reason: null,
  created_at: '2026-03-01T12:00:00.000Z',
  reviewed_at: null,
  ...changes,
})

/** A rollout from 10 to 25%, unless the changes replace it. */
export const anOccurrence = (
  type: DomainEventType,
  changes: Partial<DomainEventPayload> = {},
): DomainEventRecord => ({
  type,
  occurred_at: '2026-03-01T12:00:00.000Z',
  event: {
    project_id: PROJECT_ID,
    environment: { id: ENVIRONMENT_ID, name: 'Production', slug: 'production' },
    flag_key: 'new_checkout',
    actor_email: 'ada@example.com',
    flag: aFlag({ rollout_percentage: 25 }),
    previous: aFlag(),
    ...changes,
  },
})
