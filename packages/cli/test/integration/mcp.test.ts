import { PassThrough, Writable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from '../../src/run-command.ts'
import { run } from '../harness/run.ts'
import { type CommandServer, startCommandServer } from '../harness/start-command-server.ts'

let server: CommandServer

beforeAll(async () => {
  server = await startCommandServer()
  const flag = { key: 'checkout', is_enabled: true }
  for (const id of [server.environments.production, server.environments.staging])
    await server.call({ path: `/api/environments/${id}/flags`, body: flag })
})
afterAll(() => server.close())

/** Starts the command and sends it messages, one line each; gives the result of each. */
function startAgent(...options: string[]) {
  const stdin = new PassThrough()
  const waiting = new Map<number, (result: unknown) => void>()
  let rest = ''
  const stdout = new Writable({
    write(chunk: Buffer, _, done) {
      const lines = (rest + String(chunk)).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const { error, id, result } = JSON.parse(line)
        waiting.get(id)?.(result ?? error)
      }
      done()
    },
  })
  const env = { XDG_CONFIG_HOME: '/nonexistent', ...server.env }
  const stderr = new Writable({ write: (_chunk, _, done) => done() })
  const io = { env, cwd: '/', stdin, stdout, stderr, untilStopped: () => Promise.resolve() }
  const ended = runCommand(['mcp', ...options], io, '0.1.0')
  let last = 0
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  const ask = (method: string, params: object = {}): Promise<any> => {
    last += 1
    const id = last
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    return new Promise((resolve) => waiting.set(id, resolve))
  }
  return {
    ask,
    open: () =>
      ask('initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'agent', version: '1' },
      }),
    use: (name: string, args: object) => ask('tools/call', { name, arguments: args }),
    end: () => {
      stdin.end()
      return ended
    },
  }
}

test('an agent reads by default, and the command ends with its input', async () => {
  const agent = startAgent()
  expect(await agent.open()).toMatchObject({ serverInfo: { name: 'burgee' } })
  const { tools } = await agent.ask('tools/list')
  expect(tools).toHaveLength(7)
  const found = await agent.use('find_flags', { environment: 'production' })
  expect(found.content[0].text).toContain('"checkout"')
  expect(await agent.end()).toBe(0)
})

test('an agent writes in the named environments alone', async () => {
  expect(await run(['mcp', '--write'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('--environments'),
  })
  const agent = startAgent('--write', '--environments', 'staging')
  await agent.open()
  expect((await agent.ask('tools/list')).tools).toHaveLength(12)
  const target = { flag_key: 'checkout', revision: 1, is_enabled: false }
  const refused = await agent.use('set_enabled', { ...target, environment: 'production' })
  expect(refused).toMatchObject({ isError: true })
  const done = await agent.use('set_enabled', { ...target, environment: 'staging' })
  expect(done.content[0].text).toContain('"applied": true')
  const audit = await server.call({ path: `/api/environments/${server.environments.staging}/audit` })
  expect(audit.body[0].metadata).toMatchObject({ origin: 'mcp' })
  const path = `/api/environments/${server.environments.staging}/flags/checkout`
  const stored = async () => (await server.call({ path })).body
  const checkout = { environment: 'staging', flag_key: 'checkout' }
  for (const [tool, change, expected] of [
    ['set_rollout', { rollout_percentage: 12.5 }, { rollout_thousandths: 12_500 }],
    ['propose_change', { patch: { description: 'New' }, apply: true }, { description: 'New' }],
    ['archive_flag', {}, { archived_at: expect.any(String) }],
  ] as const) {
    const { revision } = await stored()
    const made = await agent.use(tool, { ...checkout, revision, ...change })
    expect(made.content[0].text).toContain('"applied": true')
    expect(await stored()).toMatchObject(expected)
  }
  expect(await agent.end()).toBe(0)
})
