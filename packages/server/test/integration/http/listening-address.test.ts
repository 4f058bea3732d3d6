import { networkInterfaces } from 'node:os'
import { describe, expect, it } from 'vitest'
import { listeningUrl, resolveHost } from '../../../src/http/listening-address.ts'
import { startTestServer } from '../../harness/start-test-server.ts'

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ family }) => family === 'IPv6'))

const isServedOn = (url: string, host: string): Promise<boolean> =>
  fetch(`http://${host}:${new URL(url).port}/health`).then(
    ({ status }) => status === 200,
    () => false,
  )

describe('HOST', () => {
  it('without HOST the server listens on every interface, IPv4 and IPv6', async () => {
    const server = await startTestServer()
    expect(await isServedOn(server.url, '127.0.0.1')).toBe(true)
    expect(await isServedOn(server.url, '[::1]')).toBe(hasIpv6)
    expect(server.url).toMatch(/^http:\/\/localhost:\d+$/)
    await server.close()
  })

  it('HOST localhost listens on the loopback address only', async () => {
    const server = await startTestServer({ env: { HOST: 'localhost' } })
    expect(await isServedOn(server.url, '127.0.0.1')).toBe(true)
    // Every address of 127.0.0.0/8 is this machine; the server listens on only one of them.
    expect(await isServedOn(server.url, '127.0.0.2')).toBe(false)
    expect(await isServedOn(server.url, '[::1]')).toBe(false)
    await server.close()
  })

  it('HOST with an address listens on it', async () => {
    expect(await resolveHost('127.0.0.2')).toBe('127.0.0.2')
    expect(await resolveHost('localhost')).toBe('127.0.0.1')
    expect(await resolveHost(null)).toBe(hasIpv6 ? '::' : '0.0.0.0')
  })

  it.each([
    [null, 'http://localhost:3000'],
    ['localhost', 'http://localhost:3000'],
    ['0.0.0.0', 'http://localhost:3000'],
    ['10.0.0.5', 'http://10.0.0.5:3000'],
    ['2001:db8::1', 'http://[2001:db8::1]:3000'],
    ['flags.internal', 'http://flags.internal:3000'],
  ])('HOST %s is shown as %s', (host, url) => {
    expect(listeningUrl(host, { address: '', family: 'IPv4', port: 3000 })).toBe(url)
  })
})
