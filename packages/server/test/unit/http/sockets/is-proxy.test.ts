import { describe, expect, it } from 'vitest'
import { createIsProxy } from '../../../../src/http/sockets/is-proxy.ts'

describe('recognizing a proxy by its address', () => {
  it('every peer is a proxy for TRUST_PROXY=true and a number of hops, and none for false', () => {
    expect([true, 2, false].map((trust) => createIsProxy(trust)('10.0.0.1'))).toEqual([true, true, false])
  })

  it('a peer is a proxy when its address is listed, in any notation', () => {
    const isProxy = createIsProxy(['10.0.0.0/8', '192.168.1.1', '2001:db8::/32'])
    const addresses = ['10.1.2.3', '::ffff:10.1.2.3', '192.168.1.1', '2001:db8::5']
    expect(addresses.map(isProxy)).toEqual([true, true, true, true])
    expect(['192.168.1.2', '::1', '', '2001:db9::5'].map(isProxy)).toEqual([false, false, false, false])
  })
})
