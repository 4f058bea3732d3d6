import { expect, it } from 'vitest'
import { trustsMostAddresses } from '../../../../src/platform/settings/trusts-most-addresses.ts'

it.each([
  ['0.0.0.0/1', '128.0.0.0/1'],
  ['0.0.0.0/1'],
  ['0.0.0.0/2', '64.0.0.0/2', '10.0.0.0/8'],
  Array.from({ length: 256 }, (_, first) => `${first}.0.0.0/8`),
  ['::ffff:0.0.0.0/96'],
  ['::ffff:0:0/97', '::ffff:128.0.0.0/97'],
  ['::/1', '8000::/1'],
  ['2000::/4', '3000::/4'],
  ['2000::/3'],
  ['10.0.0.0/8', '2000::/4'],
])('%s trust most addresses', (...entries: string[]) => {
  expect(trustsMostAddresses(entries)).toBe(true)
})

it.each([
  ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '127.0.0.1', 'fc00::/7', '::1'],
  ['0.0.0.0/2', '0.0.0.0/2', '0.0.0.0/3'],
  ['2001:db8::/32', '2606:4700::/32'],
  ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
  ['8000::/1', '::/3'],
  ['fe80::1%eth0'],
])('%s trust their proxies', (...entries: string[]) => {
  expect(trustsMostAddresses(entries)).toBe(false)
})

it('numbers of proxies trust these', () => {
  for (const given of [true, false, 0, 3]) expect(trustsMostAddresses(given)).toBe(false)
})
