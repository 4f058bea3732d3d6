import { DOMAIN_EVENTS } from '@burgee/contract'
import { describe, expect, test } from 'vitest'
import type { DomainEventRecord } from '../../../../src/kernel/domain-event-payload.ts'
import { toMessageContent } from '../../../../src/notification/receivers/chats/messages/message-content.ts'
import { aFlag, anOccurrence, aRequest, ENVIRONMENT_ID, PROJECT_ID } from './an-occurrence.ts'

const content = (occurrence: DomainEventRecord, publicUrl: string | null = null) =>
  toMessageContent(occurrence, { publicUrl })

const factsOf = (occurrence: DomainEventRecord) =>
  Object.fromEntries(content(occurrence).facts.map(({ name, value }) => [name, value]))

const rule = { attribute: 'country', operator: 'equals' as const, values: ['NO', 'SE'] }

test('messages contain environment name, flag key, state, rollout percentage and actor', () => {
  expect(factsOf(anOccurrence('flag.updated'))).toEqual({
    Environment: 'Production',
    Flag: 'new_checkout',
    State: 'enabled',
    Rollout: '25%',
    By: 'ada@example.com',
  })
  const off = aFlag({ is_enabled: false, rollout_percentage: null })
  expect(factsOf(anOccurrence('flag.updated', { flag: off }))).toMatchObject({
    State: 'disabled',
    Rollout: '100%',
  })
  const archived = aFlag({ archived_at: '2026-03-01T12:00:00.000Z' })
  expect(factsOf(anOccurrence('flag.updated', { flag: archived })).State).toBe('enabled, archived')
})

test('every event has a headline with actor, action, flag and environment', () => {
  const headlines = DOMAIN_EVENTS.map((type) => content(anOccurrence(type)).headline)
  expect(headlines).toEqual([
    'ada@example.com replaced flag new_checkout in Production',
    'ada@example.com changed flag new_checkout in Production',
    'ada@example.com deleted flag new_checkout in Production',
    'ada@example.com promoted flag new_checkout from another environment to Production',
    'ada@example.com requests a change of flag new_checkout in Production',
    'ada@example.com approved a change of flag new_checkout in Production',
    'ada@example.com rejected a change of flag new_checkout in Production',
  ])
  expect(content(anOccurrence('flag.created', { previous: null })).headline).toContain('created flag')
  const source_environment = { id: PROJECT_ID, name: 'Staging', slug: 'staging' }
  expect(content(anOccurrence('flag.promoted', { source_environment })).headline).toContain(
    'from Staging to Production',
  )
})

test('the color of a message is amber for queued, green for approved, red for rejected or deleted', () => {
  const tones = Object.fromEntries(DOMAIN_EVENTS.map((type) => [type, content(anOccurrence(type)).tone]))
  expect(tones).toEqual({
    'flag.created': 'blue',
    'flag.updated': 'blue',
    'flag.deleted': 'red',
    'flag.promoted': 'blue',
    'change_request.opened': 'amber',
    'change_request.approved': 'green',
    'change_request.rejected': 'red',
  })
})

describe('the description of a change', () => {
  test('the description contains what has changed', () => {
    expect(content(anOccurrence('flag.updated')).details).toBe('rollout 10% -> 25%')
    const flag = aFlag({ rollout_percentage: 25, rules: [{ ...rule, values: ['NO'] }] })
    expect(content(anOccurrence('flag.updated', { flag })).details).toBe(
      'rollout 10% -> 25%, rule 1 added: country is NO',
    )
    expect(
      content(anOccurrence('flag.updated', { flag: aFlag({ rules: [rule], tags: ['q1'] }) })).details,
    ).toBe('rule 1 added: country is one of NO, SE; tag q1 added')
  })

  test('the description says so when nothing differs', () => {
    expect(content(anOccurrence('flag.updated', { flag: aFlag({ revision: 2 }) })).details).toBe(
      'nothing is different',
    )
  })

  test('the description of a new flag is its content, of a deleted one empty', () => {
    expect(content(anOccurrence('flag.created', { previous: null })).details).toBe('switched on, rollout 25%')
    expect(content(anOccurrence('flag.deleted', { flag: null })).details).toBe('')
  })

  test('the description of a pending or rejected request is what was requested', () => {
    const asked = { flag: aFlag(), previous: null, change_request: aRequest() }
    expect(content(anOccurrence('change_request.opened', asked)).details).toBe('rollout 10% -> 25%')
    expect(content(anOccurrence('change_request.rejected', asked)).details).toBe('rollout 10% -> 25%')
  })

  test('the description of a request applies its patch as a merge patch', () => {
    const patched = (flag: object, patch: Record<string, never> | object) =>
      content(
        anOccurrence('change_request.opened', {
          flag: aFlag(flag),
          previous: null,
          change_request: aRequest({ patch: { ...patch } }),
        }),
      ).details
    expect(patched({ tags: ['a'] }, { tags: null, rollout_percentage: null })).toBe(
      'rollout 10% -> 100%, tag a removed',
    )
    expect(patched({ default_value: false }, { default_value: null })).toBe('default value false -> true')
    expect(patched({ flag_type: 'string', default_value: 'a' }, { default_value: null })).toBe(
      'default value "a" -> null',
    )
    const withNulls = { ...rule, segment_key: null, variant: null }
    expect(patched({}, { rules: [withNulls] })).toBe('rule 1 added: country is one of NO, SE')
    expect(patched({ description: 'x' }, { description: null })).toBe('description "x" -> none')
    expect(patched({}, { rules: [{ nonsense: 1 }], default_value: 1 })).toBe('changes rules, default value')
  })

  test('the description of an approved request is what was done, or will be done at its time', () => {
    const approved = { change_request: aRequest({ status: 'approved' }) }
    expect(content(anOccurrence('change_request.approved', approved)).details).toBe('rollout 10% -> 25%')
    const later = {
      flag: aFlag(),
      previous: aFlag(),
      change_request: aRequest({ status: 'approved', scheduled_at: '2026-04-01T00:00:00.000Z' }),
    }
    expect(content(anOccurrence('change_request.approved', later)).details).toBe('rollout 10% -> 25%')
    expect(factsOf(anOccurrence('change_request.approved', later))['Scheduled for']).toBe(
      '2026-04-01T00:00:00.000Z',
    )
  })

  test('the headline contains a requested deletion', () => {
    const asked = {
      flag: aFlag(),
      previous: null,
      change_request: aRequest({ operation: 'delete', patch: {} }),
    }
    const { details, headline } = content(anOccurrence('change_request.opened', asked))
    expect(headline).toContain('requests the deletion of flag new_checkout')
    expect(details).toBe('')
  })
})

describe('messages about change requests', () => {
  test('messages name the requester, unless it is the actor', () => {
    const occurrence = anOccurrence('change_request.approved', { change_request: aRequest() })
    expect(factsOf(occurrence)).toMatchObject({ By: 'ada@example.com', 'Requested by': 'grace@example.com' })
    const own = aRequest({ requested_by: 'ada@example.com' })
    expect(factsOf(anOccurrence('change_request.opened', { change_request: own }))).not.toHaveProperty(
      'Requested by',
    )
  })

  test('messages about rejected requests contain the reason', () => {
    const rejected = (reason: string | null) =>
      factsOf(anOccurrence('change_request.rejected', { change_request: aRequest({ reason }) })).Reason
    expect(rejected('Not before\nthe weekend')).toBe('Not before the weekend')
    expect(rejected(null)).toBe('none given')
    expect(rejected(' \n')).toBe('none given')
    expect(factsOf(anOccurrence('change_request.opened', { change_request: aRequest() }))).not.toHaveProperty(
      'Reason',
    )
  })

  test('messages about requests of a deleted flag say so', () => {
    const gone = { flag: null, previous: null, change_request: aRequest() }
    expect(factsOf(anOccurrence('change_request.rejected', gone))).toMatchObject({ State: 'deleted' })
    expect(factsOf(anOccurrence('flag.deleted', { flag: null })).State).toBe('deleted, was enabled')
  })
})

test('messages link to the flag when PUBLIC_URL is set', () => {
  expect(content(anOccurrence('flag.updated')).link).toBeNull()
  expect(content(anOccurrence('flag.updated'), 'https://flags.example.com/burgee').link).toBe(
    `https://flags.example.com/burgee/projects/${PROJECT_ID}/environments/${ENVIRONMENT_ID}/flags/new_checkout`,
  )
})
