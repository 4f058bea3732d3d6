import { expect, it } from 'vitest'
import { describePropagation, nextCountMs } from '../../../src/parts/propagation/describe-propagation.ts'

const clients = { total: 415, current: 412, behind: 0, silent: 3, unconfirmable: 0 }
const counted = { revision: 97, clients, latency_ms: { p50: 12, p99: 37.4, max: 40 } }
const none = { p50: null, p99: null, max: null }

it.each([
  ['a change on its way', counted, false, '412 of 415 clients on revision 97 · p99 38 ms · 3 silent'],
  [
    'thousands without a latency',
    { ...counted, clients: { ...clients, total: 4150, current: 4150, silent: 0 }, latency_ms: none },
    false,
    '4,150 of 4,150 clients on revision 97',
  ],
  [
    'a flag that is off for all',
    { ...counted, clients: { ...clients, current: 415, silent: 0 } },
    true,
    'Off everywhere · p99 38 ms',
  ],
  [
    'a flag that is off for all that confirm',
    { ...counted, clients: { ...clients, current: 415, silent: 0, unconfirmable: 20 } },
    true,
    'Off on 415 of 415 clients · p99 38 ms · 20 cannot confirm',
  ],
  [
    'streams that do not confirm',
    {
      ...counted,
      clients: { total: 0, current: 0, behind: 0, silent: 0, unconfirmable: 1 },
      latency_ms: none,
    },
    true,
    'Sent to 1 stream that cannot confirm',
  ],
  [
    'an environment without SDKs',
    { ...counted, clients: { total: 0, current: 0, behind: 0, silent: 0, unconfirmable: 0 } },
    true,
    null,
  ],
])('the line of %s', (_what, given, isOff, expected) => {
  expect(describePropagation(given, { isOff })).toBe(expected)
})

it.each([
  ['a client that may still confirm', clients, 1, 500],
  ['a client that has not confirmed for ten seconds', clients, 20, 2000],
  ['clients that have all confirmed', { ...clients, current: 415, silent: 0 }, 1, false],
  [
    'browsers beside clients that have all confirmed',
    { ...clients, current: 415, silent: 0, unconfirmable: 20 },
    1,
    false,
  ],
  ['browsers alone', { ...clients, total: 0, current: 0, silent: 0, unconfirmable: 1 }, 1, false],
])('the time until the next count with %s', (_what, given, counts, expected) => {
  expect(nextCountMs({ clients: given }, counts)).toBe(expected)
})
