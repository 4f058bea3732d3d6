import { expect, test } from 'vitest'
import { HAS_OPENSSL, selfSigned } from '../../../server/test/harness/self-signed.ts'
import { unreachable } from '../../src/api/connection-problem.ts'
import { run } from '../harness/run.ts'
import { serve } from '../harness/serve.ts'

/** The words of OpenSSL, Node and undici, which no message has. */
const RAW = /SSL routines|fetch failed|ECONN|ENOTFOUND|getaddrinfo|UND_ERR|altnames|\.c:\d/

async function failure(url: string): Promise<string> {
  const { code, err, out } = await run(['whoami', '--url', url, '--token', 'pat_x'])
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toContain(`Error: ${url} cannot be reached: `)
  expect(err).not.toMatch(RAW)
  return err
}

test.skipIf(!HAS_OPENSSL)(
  'a self-signed certificate is explained with what to set (needs openssl)',
  async () => {
    const url = await serve((_, response) => response.end('{}'), await selfSigned())
    expect(await failure(url)).toContain('its TLS certificate is self-signed. Set NODE_EXTRA_CA_CERTS')
    // The same server without TLS in the address.
    const err = await failure(url.replace('https:', 'http:'))
    expect(err).toContain('closed before the response was complete. Write https:// in --url')
  },
)

test('an address with https for a server without TLS is explained', async () => {
  const url = await serve((_, response) => response.end('{}'))
  const err = await failure(url.replace('http:', 'https:'))
  expect(err).toContain('there is no TLS at this address. Write http:// in --url')
})

test('a redirect, a broken response and a host without a server are explained', async () => {
  const url = await serve((request, response) => {
    if (request.url?.startsWith('/moved')) response.writeHead(308, { location: '/' }).end()
    else {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 })
      response.write('{', () => response.destroy())
    }
  })
  expect(await failure(`${url}/moved`)).toContain('it redirects to another address. Write that address')
  expect(await failure(url)).toContain('closed before the response was complete')
  expect(await failure('http://127.0.0.1:9')).toContain('requests to its port are blocked')
  expect(await failure('http://flags.invalid')).toMatch(/no host of this name|name servers do not respond/)
})

/** Returns an error as fetch throws it. */
const failed = (cause: Error | undefined) => new TypeError('fetch failed', { cause })
const coded = (code: string) => Object.assign(new Error('error:0A000086:SSL routines::failed'), { code })

test.each([
  ['CERT_HAS_EXPIRED', 'has expired'],
  ['CERT_NOT_YET_VALID', 'not valid yet'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'for another host name'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'Set NODE_EXTRA_CA_CERTS'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'Set NODE_EXTRA_CA_CERTS'],
  ['CERT_REVOKED', 'the TLS connection failed (CERT_REVOKED)'],
  ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'the TLS connection failed (ERR_SSL_SSLV3'],
  ['ECONNREFUSED', 'no program listens there'],
  ['ENEW', 'the connection failed (ENEW)'],
])('the code %s becomes a sentence', (code, sentence) => {
  for (const cause of [coded(code), new AggregateError([coded(code)])]) {
    const { message } = unreachable('https://flags.example.com', failed(cause))
    expect(message).toContain(sentence)
    expect(message).not.toContain('routines')
  }
  expect(unreachable('https://flags.example.com', failed(undefined)).message).toContain('connection failed.')
})
