import { expect, it, vi } from 'vitest'
import { attemptDelivery } from '../../../../src/features/deliveries/attempt-delivery.ts'
import type { DeliveryJob, Receiver } from '../../../../src/features/deliveries/delivery-job.ts'
import { createLetterBodies } from '../../../../src/features/deliveries/letter-bodies.ts'
import type { Occurrence } from '../../../../src/kernel/told-event.ts'
import type { OutboundRequest } from '../../../../src/platform/outbound/outbound.ts'
import { createManualClock } from '../../../harness/manual-clock.ts'
import { silentLog } from '../../../harness/silent-log.ts'

const occurrence: Occurrence = {
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
  asked_for: false,
  attempt: 1,
  receiver,
})

it('an event is written once for all webhooks, and once for all chats of a kind', async () => {
  const posted: OutboundRequest[] = []
  const toChatMessage = vi.fn(() => ({ text: 'changed' }))
  const deps = {
    clock: createManualClock(),
    log: silentLog(),
    data_key: { seal: (text: string) => text, open: (sealed: string) => sealed },
    bodyFor: createLetterBodies(toChatMessage),
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
