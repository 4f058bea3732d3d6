import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../../sdk/src/index.node.ts'
import { eventually } from '../../../server/test/harness/eventually.ts'
import { readStream } from '../../../server/test/harness/read-stream.ts'
import { run, temporaryFolder } from '../harness/run.ts'

const FLAGS = `
segments: [{ key: team, name: Team, rules: [{ attribute: team, operator: equals, values: [core] }] }]
flags:
  - { key: checkout, is_enabled: true, rollout_percentage: 0, rules: [{ segment_key: team }] }
  - { key: hidden, is_enabled: true, client_visible: false }
  - { key: rate, flag_type: json, is_enabled: true, default_value: 2, value_schema: { type: number } }
`
const frame = (environment: string, body = FLAGS) =>
  `apiVersion: burgee/v1\nname: team\nenvironment: ${environment}\n${body}`

/** Starts `burgee dev` on a free port, until the test ends. */
async function startDev(text: string, args: readonly string[] = []) {
  const folder = temporaryFolder()
  const file = join(folder, 'flags.yaml')
  writeFileSync(file, text)
  let printed = ''
  let stop = () => {}
  const stopped = new Promise<void>((resolve) => {
    stop = resolve
  })
  const ended = run(['dev', '-f', 'flags.yaml', '--port', '0', ...args], {
    cwd: folder,
    stopped,
    onOutput: (out) => {
      printed += out
    },
  })
  const url = await eventually(async () => /http:\/\/localhost:\d+/.exec(printed)?.[0] ?? null)
  onTestFinished(async () => {
    stop()
    expect((await ended).code).toBe(0)
  })
  return { url, printed: () => printed, write: (edited: string) => writeFileSync(file, edited) }
}

const evaluate = (url: string, key: string | null, body: unknown, headers = {}) =>
  fetch(`${url}/ofrep/v1/evaluate/flags${key === null ? '' : `/${key}`}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

test('an SDK gets the flags of the file, and each edit; a broken file leaves them', async () => {
  const { printed, url, write } = await startDev(frame('staging'))
  expect(printed()).toContain(`Serving 3 flags of staging at ${url}.`)
  const client = createClient({ url, sdkKey: 'sk_live_any' })
  onTestFinished(() => client.close())
  await client.connect()
  const isOn = () => client.isEnabled('checkout', 'ada', { team: 'core' })
  expect([isOn(), client.isEnabled('checkout', 'ada', { team: 'other' })]).toEqual([true, false])

  write(frame('staging', '\nflags: [{ key: checkout, is_enabled: true, rollout_percentage: "many" }]'))
  await eventually(async () => printed().includes('The last flags stay in use.') || null)
  expect(printed()).toContain('flags.yaml:5: /flags/0/rollout_percentage')
  expect(isOn()).toBe(true)

  write(frame('staging', '\nflags: [{ key: checkout, is_enabled: false }]'))
  await eventually(async () => (isOn() ? null : true))
  expect(printed()).toContain('Changed: hidden, rate, checkout')
  expect(client.status.flagCount).toBe(1)
})

test('polling programs get a snapshot with an ETag, and reports are taken', async () => {
  const { url } = await startDev(frame('staging'), ['--client-keys'])
  const first = await fetch(`${url}/flags/snapshot`)
  const flags = (await first.json()) as { key: string; requires?: string[] }[]
  expect(flags.map(({ key }) => key)).toEqual(['checkout', 'rate'])
  const etag = first.headers.get('etag') ?? ''
  expect((await fetch(`${url}/flags/snapshot`, { headers: { 'if-none-match': etag } })).status).toBe(304)
  const id = first.headers.get('x-environment-id')
  for (const path of [`/api/environments/${id}/impressions`, `/api/environments/${id}/events`, '/sdk/ack'])
    expect((await fetch(url + path, { method: 'POST', body: '[]' })).status).toBe(204)
})

test('OFREP evaluates with the results and errors of the server', async () => {
  const { url } = await startDev(frame('staging'))
  const context = { targetingKey: 'ada', team: 'core' }
  expect(await (await evaluate(url, 'checkout', { context })).json()).toMatchObject({
    ...{ key: 'checkout', value: true, reason: 'TARGETING_MATCH' },
  })
  expect(await (await evaluate(url, 'rate', {})).text()).toContain('"value":2.0')
  const missing = await evaluate(url, 'missing', { context })
  expect([missing.status, await missing.json()]).toMatchObject([404, { errorCode: 'FLAG_NOT_FOUND' }])
  const malformed = await evaluate(url, 'checkout', '{')
  expect([malformed.status, await malformed.json()]).toMatchObject([400, { errorCode: 'PARSE_ERROR' }])

  const all = await evaluate(url, null, { context })
  const bulk = (await all.json()) as {
    flags: unknown[]
    eventStreams: { endpoint: { requestUri: string } }[]
  }
  expect(bulk.flags).toHaveLength(3)
  const again = { 'if-none-match': all.headers.get('etag') ?? '' }
  expect((await evaluate(url, null, { context }, again)).status).toBe(304)
  expect((await evaluate(url, null, { context: { targetingKey: 'bob' } }, again)).status).toBe(200)
  expect(bulk.eventStreams[0]?.endpoint.requestUri).toMatch(/^\/ofrep\/v1\/events\?ticket=/)
})

test('an event stream of OFREP announces an edit', async () => {
  const { url, write } = await startDev(frame('staging'))
  const events = await readStream(`${url}/ofrep/v1/events?ticket=local`)
  onTestFinished(() => events.close())
  write(frame('staging', '\nflags: []'))
  await eventually(async () => (events.text().includes('"type":"refetchEvaluation"') ? true : null))
})

test('pages of any origin may call, and other paths say where they are', async () => {
  const { url } = await startDev(frame('staging'))
  const preflight = await fetch(`${url}/stream`, { method: 'OPTIONS' })
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
  const other = await fetch(`${url}/api/projects`)
  expect([other.status, await other.json()]).toEqual([
    404,
    { error: 'burgee dev has only what SDKs call. Ask a Burgee server for GET /api/projects.' },
  ])
  expect((await evaluate(url, 'checkout', 'x'.repeat(20 * 1024 * 1024))).status).toBe(413)
})

test('connections beyond 500 are closed, and those before keep working', async () => {
  const { url } = await startDev(frame('staging'))
  const open = () => connect(Number(new URL(url).port), '127.0.0.1')
  const sockets = Array.from({ length: 500 }, open)
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  const further = open()
  await once(further.resume(), 'close')
  const [first] = sockets
  first?.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n')
  expect(String((await once(first as Socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /)
})

test('files of several environments need a choice, and each mistake is explained', async () => {
  const folder = temporaryFolder()
  const both = `${frame('staging', '\nflags: [{ key: a }]')}\n---\n${frame('production', '\nflags: [{ key: b }]')}`
  writeFileSync(join(folder, 'flags.yaml'), both)
  const dev = (...args: string[]) => run(['dev', '-f', 'flags.yaml', '--port', '0', ...args], { cwd: folder })
  expect((await dev()).err).toContain('several: staging, production. Choose the environment with --env.')
  expect((await dev('--env', 'test')).err).toContain('no environment test. They have staging, production.')
  expect((await dev('--env', 'production', '-o', 'json')).out).toMatch(
    /"environment": "production",\n *"flags": 1/,
  )
  expect(await dev('--env', 'staging', '--port', '70000')).toMatchObject({ code: 2 })
  const { url } = await startDev(frame('staging'))
  const taken = await dev('--env', 'staging', '--port', new URL(url).port)
  expect(taken).toMatchObject({ code: 1 })
  expect(taken.err).toContain('is in use')
})
