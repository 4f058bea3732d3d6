import { expect, test } from 'vitest'
import { followRedirects, type SendOnce } from '../../src/follow-redirects.ts'

interface Sent {
  readonly url: string
  readonly method: string | undefined
  readonly body: unknown
  readonly headers: Record<string, string>
}

/** Responds with a redirect for each path that has one, and notes what was sent. */
function recording(redirects: Readonly<Record<string, readonly [number, string]>>) {
  const sent: Sent[] = []
  const sendOnce: SendOnce = async (url, { body, headers, method }) => {
    sent.push({ url: url.href, method, body, headers: Object.fromEntries(new Headers(headers)) })
    const [status, location] = redirects[url.pathname] ?? [200, '']
    return new Response('text', { status, ...(location !== '' && { headers: { location } }) })
  }
  return { sent, sendOnce }
}
const START = new URL('https://flags.example/a')

test('redirects are followed, also to relative places and with the body where the status keeps it', async () => {
  const { sendOnce, sent } = recording({ '/a': [307, 'b'], '/b': [308, 'https://flags.example/c?d=1'] })
  const init = { method: 'POST', body: '{}', headers: { authorization: 'Bearer x' } }
  const response = await followRedirects(sendOnce, START, init)
  expect(response.status).toBe(200)
  expect(sent.map(({ body, headers, method, url }) => [url, method, body, headers.authorization])).toEqual([
    ['https://flags.example/a', 'POST', '{}', 'Bearer x'],
    ['https://flags.example/b', 'POST', '{}', 'Bearer x'],
    ['https://flags.example/c?d=1', 'POST', '{}', 'Bearer x'],
  ])
})

test.each([301, 302, 303])('a POST becomes a GET without a body after %i', async (status) => {
  const { sendOnce, sent } = recording({ '/a': [status, '/b'] })
  const headers = { 'content-type': 'application/json', accept: 'text/plain' }
  await followRedirects(sendOnce, START, { method: 'POST', body: '{}', headers })
  expect(sent[1]).toEqual({
    ...{ url: 'https://flags.example/b', method: 'GET', body: undefined },
    headers: { accept: 'text/plain' },
  })
})

test('another origin gets no credentials, also after a way back', async () => {
  const { sendOnce, sent } = recording({
    '/a': [302, 'https://other.example/b'],
    '/b': [302, 'https://flags.example/c'],
  })
  await followRedirects(sendOnce, START, {
    headers: { authorization: 'Bearer x', cookie: 'c=1', accept: '*' },
  })
  expect(sent.map(({ headers }) => headers)).toEqual([
    { authorization: 'Bearer x', cookie: 'c=1', accept: '*' },
    { accept: '*' },
    { accept: '*' },
  ])
})

test('a caller that refuses redirects gets an error, and one that reads them the response', async () => {
  const { sendOnce } = recording({ '/a': [302, '/b'] })
  const refused = await followRedirects(sendOnce, START, { redirect: 'error' }).catch(
    (error: unknown) => error,
  )
  expect(refused).toMatchObject({ name: 'TypeError', cause: { message: 'unexpected redirect' } })
  const manual = await followRedirects(sendOnce, START, { redirect: 'manual' })
  expect([manual.status, manual.headers.get('location')]).toEqual([302, '/b'])
})

test.each([
  ['/a', 'redirect count exceeded'],
  ['ftp://flags.example/b', 'invalid redirect'],
  ['https://', 'invalid redirect'],
])('a redirect to %s ends with an error', async (location, reason) => {
  const { sendOnce, sent } = recording({ '/a': [302, location] })
  const error = await followRedirects(sendOnce, START, {}).catch((found: unknown) => found)
  expect(error).toMatchObject({ cause: { message: reason } })
  expect(sent.length).toBeLessThanOrEqual(21)
})
