import { describe, expect, it } from 'vitest'
import { findProxy, isProxyUrl } from '../../src/index.ts'

const HTTPS_PROXY = 'http://proxy.internal:3128'
const proxyOf = (url: string, NO_PROXY?: string) =>
  findProxy(new URL(url), { HTTPS_PROXY, NO_PROXY })?.href ?? null

describe('the proxy of a URL', () => {
  it('an address without a scheme is an http one', () => {
    const HTTPS_PROXY = 'me:secret@proxy.internal:3128'
    expect(findProxy(new URL('https://example.com'), { HTTPS_PROXY })?.href).toBe(`http://${HTTPS_PROXY}/`)
  })

  it.each([
    ['https://hooks.example.com/x', undefined],
    ['https://10.1.2.3/', 'example.com'],
    ['https://hooks.example.com/', 'other.com, ample.com,'],
    ['https://hooks.example.com:8443/', 'hooks.example.com:443'],
    ['https://[2001:db8::1]/', '[2001:db8::2]'],
  ])('%s goes through the proxy, with NO_PROXY %s', (url, except) => {
    expect(proxyOf(url, except)).toBe(`${HTTPS_PROXY}/`)
  })

  it.each([
    ['http://hooks.example.com/', undefined],
    ['https://localhost:3000/', undefined],
    ['https://127.0.0.1/', undefined],
    ['https://[::1]/', undefined],
    ['https://hooks.example.com/', '*'],
    ['https://hooks.example.com/', 'a.com, EXAMPLE.com'],
    ['https://hooks.example.com/', '.example.com'],
    ['https://hooks.example.com/', '*.example.com'],
    ['https://example.com/', '.example.com'],
    ['https://hooks.example.com/', 'hooks.example.com:443'],
    ['https://hooks.example.com:8443/', 'example.com:8443'],
    ['https://10.1.2.3/', '10.1.2.3'],
    ['https://[2001:db8::1]/', '[2001:db8::1]'],
  ])('%s is reached directly, with NO_PROXY %s', (url, except) => {
    expect(proxyOf(url, except)).toBeNull()
  })

  it.each([
    undefined,
    '',
    '  ',
    'proxy.internal:3128/path',
    'socks5://proxy:1080',
    'http://proxy/path',
    'http://proxy/?a',
  ])('HTTPS_PROXY %s names none', (text) => {
    expect(findProxy(new URL('https://example.com'), { HTTPS_PROXY: text })).toBeNull()
    expect(isProxyUrl(text ?? '')).toBe(false)
  })
})
