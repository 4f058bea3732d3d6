import { describe, expect, it, vi } from 'vitest'
import type { DomainEventRecord } from '../../../../src/kernel/domain-event-payload.ts'
import {
  type AttemptDeps,
  attemptDelivery,
} from '../../../../src/notification/deliveries/attempt-delivery.ts'
import type { DeliveryJob, Receiver } from '../../../../src/notification/deliveries/delivery-job.ts'
import { createPayloadCache } from '../../../../src/notification/deliveries/payload-cache.ts'
import { createLog } from '../../../../src/platform/log/log.ts'
import type { OutboundRequest } from '../../../../src/platform/outbound/outbound.ts'
import { createManualClock } from '../../../harness/manual-clock.ts'
import { silentLog } from '../../../harness/silent-log.ts'

const occurrence: DomainEventRecord = {
  type: 'flag.updated',
  occurred_at: '2026-01-05T10:00:00.000Z',
  event: {
    project_id: '',
    environment: { id: '', name: '', slug: '' },
    flag_key: 'a',
    actor_email: '',
    flag: null,
    previous: null,
  },
}
const webhook = (url: string): Receiver => ({
  kind: 'webhook',
  id: url,
  enabled: true,
  url,
  secret_sealed: 'sealed',
})
const chat = (url: string): Receiver => ({ kind: 'slack', id: url, enabled: true, webhook_url_sealed: url })
const jobFor = (receiver: Receiver): DeliveryJob => ({
  id: 1,
  event_id: 1,
  message_id: 'evt_1',
  isManual: false,
  attempt: 1,
  receiver,
})

it('the body of an event is built once for all webhooks, and once for all chats of a kind', async () => {
  const posted: OutboundRequest[] = []
  const toChatMessage = vi.fn(() => ({ text: 'changed' }))
  const deps = {
    clock: createManualClock(),
    log: silentLog(),
    data_key: { seal: (text: string) => text, open: (sealed: string) => sealed },
    bodyFor: createPayloadCache(toChatMessage),
    outbound: {
      post: async (_url: string, request: OutboundRequest) => {
        posted.push(request)
        return { status_code: 200, response_body: '', error: null }
      },
      close: async () => undefined,
    },
  }
  const receivers = [
    webhook('http://one.example'),
    webhook('http://two.example'),
    chat('http://three.example/secret-path'),
    chat('http://four.example/secret-path'),
  ]

  for (const receiver of receivers) {
    await attemptDelivery(deps, jobFor(receiver), { occurrence, signal: new AbortController().signal })
  }

  const [one, two, three, four] = posted.map(({ body }) => body)
  expect(one).toBeInstanceOf(Buffer)
  expect(two).toBe(one)
  expect(four).toBe(three)
  expect(toChatMessage).toHaveBeenCalledTimes(1)
  expect(JSON.parse(String(one))).toMatchObject({ type: 'flag.updated', data: { flag_key: 'a' } })
})

describe('an attempt with an exception', () => {
  const attempt = async (over: Partial<AttemptDeps>, receiver: Receiver, number = 1) => {
    const lines: string[] = []
    const deps: AttemptDeps = {
      clock: createManualClock(),
      log: createLog('trace', { write: (line) => void lines.push(line) }),
      data_key: { seal: (text: string) => text, open: (sealed: string) => sealed },
      bodyFor: createPayloadCache(() => ({ text: 'changed' })),
      outbound: { post: async () => ANSWER, close: async () => undefined },
      ...over,
    }
    const job = { ...jobFor(receiver), attempt: number }
    const finished = await attemptDelivery(deps, job, { occurrence, signal: new AbortController().signal })
    return { finished, logged: lines.join('') }
  }
  const ANSWER = { status_code: 200, response_body: '', error: null }
  const throwing = (message: string) => ({
    post: () => {
      throw new Error(message)
    },
    close: async () => undefined,
  })

  it.each([
    [1, { kind: 'retry', wait_ms: 1_000 }],
    [2, { kind: 'retry', wait_ms: 5_000 }],
    [3, { kind: 'retry', wait_ms: 15_000 }],
    [4, { kind: 'done' }],
  ])('an exception makes a failed attempt like any other (%d)', async (number, next) => {
    const { finished } = await attempt(
      { outbound: throwing('no') },
      chat('http://three.example/secret-path'),
      number,
    )
    expect(finished).toMatchObject({
      result: {
        status_code: null,
        response_body: null,
        error: expect.stringContaining('failed on the server'),
      },
      next,
    })
  })

  it('an exception is logged without the address that it contains', async () => {
    const url = 'https://user:hunter2@three.example/secret-path?token=hunter2'
    const regular = `Invalid regular expression: /${url.replaceAll('/', '\\/')}/g: too large`
    for (const message of [`cannot post to ${url}`, regular, `${url} `.repeat(500)]) {
      const { finished, logged } = await attempt({ outbound: throwing(message) }, chat(url))
      expect(logged).toContain('three.example')
      expect(`${logged}${JSON.stringify(finished?.result)}`).not.toMatch(/hunter2|secret-path/)
      expect(logged.length).toBeLessThan(8_000)
    }
  })

  it('an address of 60 KB from before there was a limit causes no exception', async () => {
    for (const receiver of [chat, webhook]) {
      const url = `https://three.example/${'x'.repeat(60_000)}`
      const { finished, logged } = await attempt({}, receiver(url))
      expect(finished?.result.error).toContain('more than 2000 characters')
      expect(logged).toBe('')
    }
  })
})
