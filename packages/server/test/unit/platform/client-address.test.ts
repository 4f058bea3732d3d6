import { fastify } from 'fastify'
import { describe, expect, it } from 'vitest'
import {
  countedNetwork,
  type TrustProxy,
  toClientAddress,
  trustedHops,
} from '../../../src/platform/client-address.ts'

describe('normalizing an address', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    [' 192.0.2.1 ', '192.0.2.1'],
    ['192.0.2.1:4711', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:C000:0201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['[2001:db8::1]:4711', '2001:db8:0:0:0:0:0:1'],
    ['2001:0DB8:0000::0001', '2001:db8:0:0:0:0:0:1'],
    ['fe80::1%eth0', 'fe80:0:0:0:0:0:0:1'],
    ['::1', '0:0:0:0:0:0:0:1'],
  ])('the address %s is %s', (text, address) => {
    expect(toClientAddress(text)).toBe(address)
  })

  it.each(['', 'unknown', '_hidden', '192.0.2', '192.0.2.1.example', '[192.0.2.1', '1'.repeat(10_000)])(
    '%j is not an address',
    (text) => {
      expect(toClientAddress(text)).toBeNull()
    },
  )
})

describe('limits count', () => {
  it('limits count an IPv4 address by itself, also in IPv6 notation', () => {
    expect(countedNetwork('192.0.2.1')).toBe('192.0.2.1')
    expect(countedNetwork('::ffff:192.0.2.1')).toBe('192.0.2.1')
    expect(countedNetwork('192.0.2.2')).not.toBe(countedNetwork('192.0.2.1'))
  })

  it('limits count all addresses of a /64 as one', () => {
    expect(countedNetwork('2001:db8:1:2::1')).toBe('2001:db8:1:2::/64')
    expect(countedNetwork('2001:db8:1:2:ffff:ffff:ffff:ffff')).toBe('2001:db8:1:2::/64')
    expect(countedNetwork('2001:db8:1:3::1')).not.toBe('2001:db8:1:2::/64')
  })
})

describe('TRUST_PROXY finds the client', () => {
  const FORGED = '198.51.100.1, 198.51.100.2'

  it.each<[TrustProxy, string, string]>([
    // The peer of an injected request is 127.0.0.1.
    [false, `${FORGED}, 192.0.2.7`, '127.0.0.1'],
    [true, `${FORGED}, 192.0.2.7`, '192.0.2.7'],
    [1, `${FORGED}, 192.0.2.7`, '192.0.2.7'],
    [2, `${FORGED}, 192.0.2.7, 10.0.0.2`, '192.0.2.7'],
    [['127.0.0.1', '10.0.0.0/8'], `${FORGED}, 192.0.2.7, 10.0.0.2`, '192.0.2.7'],
    [['10.0.0.0/8'], `${FORGED}, 192.0.2.7`, '127.0.0.1'],
  ])('TRUST_PROXY %j with "%s" gives the client %s', async (trustProxy, forwarded, client) => {
    const app = fastify({ trustProxy: trustedHops(trustProxy) })
    app.get('/', async (request) => request.ip)

    const { body } = await app.inject({ url: '/', headers: { 'x-forwarded-for': forwarded } })

    expect(body).toBe(client)
    await app.close()
  })
})
