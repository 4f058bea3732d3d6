import { describe, expect, it } from 'vitest'
import {
  type DeliveryJob,
  isDeliverable,
  nextStep,
} from '../../../../src/notification/deliveries/delivery-job.ts'

const webhook = (job: Partial<DeliveryJob> = {}, enabled = true): DeliveryJob => ({
  id: 1,
  event_id: 1,
  message_id: 'evt_1',
  isManual: false,
  attempt: 1,
  receiver: { kind: 'webhook', id: 'w', enabled, url: 'https://example.com', secret_sealed: null },
  ...job,
})
const chat = (job: Partial<DeliveryJob> = {}): DeliveryJob =>
  webhook({ receiver: { kind: 'slack', id: 'i', enabled: true, webhook_url_sealed: '' }, ...job })

describe('the next step after an attempt', () => {
  it.each([200, 201, 204, 299])('the status %i is a success', (status) => {
    expect(nextStep(webhook(), status)).toEqual({ kind: 'done' })
  })

  it.each([null, 100, 199, 300, 302, 400, 404, 429, 500, 503])('%s is a failure', (status) => {
    expect(nextStep(webhook(), status).kind).toBe('retry')
  })

  it.each([
    [1, 1_000],
    [2, 5_000],
    [3, 15_000],
  ])('attempt %i is followed by another after %i ms', (attempt, wait_ms) => {
    expect(nextStep(webhook({ attempt }), 500)).toEqual({ kind: 'retry', wait_ms })
    expect(nextStep(chat({ attempt }), 500)).toEqual({ kind: 'retry', wait_ms })
  })

  it('the fourth attempt is the last', () => {
    expect(nextStep(webhook({ attempt: 4 }), 500)).toEqual({ kind: 'done' })
  })

  it('410 ends the deliveries of a webhook, and is an ordinary failure of a chat', () => {
    expect(nextStep(webhook(), 410)).toEqual({ kind: 'gone' })
    expect(nextStep(chat(), 410).kind).toBe('retry')
  })

  it('a failed attempt of a disabled receiver is not retried', () => {
    expect(nextStep(webhook({ isManual: true }, false), 500)).toEqual({ kind: 'done' })
  })
})

describe('a disabled receiver', () => {
  it.each([
    [{ isManual: false, attempt: 1 }, false],
    [{ isManual: true, attempt: 1 }, true],
    [{ isManual: true, attempt: 2 }, false],
  ])('a disabled receiver with %j is deliverable: %s', (job, expected) => {
    expect(isDeliverable(webhook(job, false))).toBe(expected)
    expect(isDeliverable(webhook(job, true))).toBe(true)
  })
})
