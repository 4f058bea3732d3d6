import { PassThrough, Writable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boundApi } from '../../../mcp/src/bound-api.ts'
import type { ToolApi } from '../../../mcp/src/tool.ts'
import { createApi } from '../../src/api/create-api.ts'
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
const startAgent = (...options: string[]) => startAgentWith({}, ...options)

function startAgentWith(variables: Readonly<Record<string, string>>, ...options: string[]) {
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
  const env = { XDG_CONFIG_HOME: '/nonexistent', ...server.env, ...variables }
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

test('with a project, its tools neither see nor change another one', async () => {
  const other = (await server.call({ path: '/api/projects', body: { name: 'Blog' } })).body
  const [production] = other.environments
  const path = `/api/environments/${production.id}/flags`
  expect((await server.call({ path, body: { key: 'post', is_enabled: true } })).status).toBe(200)
  const options = ['--write', '--environments', 'production,staging']
  const slug = server.project.slug
  for (const bound of [
    startAgent('--project', slug, ...options),
    startAgent('--project', server.project.id, ...options),
    startAgentWith({ BURGEE_PROJECT: slug }, ...options),
  ]) {
    await bound.open()
    const elsewhere = { project: 'blog', environment: 'production', flag_key: 'post', revision: 1 }
    const calls: [string, object][] = [
      ['find_flags', { project: 'blog', environment: 'production' }],
      ['get_flag', { project: 'blog', environment: 'production', flag_key: 'post' }],
      ['compare_environments', { project: 'blog', source: 'production', target: 'staging' }],
      ['stale_flags', { project: 'blog' }],
      ['cleanup_plan', { project: 'blog', flag_key: 'post' }],
      ['set_enabled', { ...elsewhere, is_enabled: false }],
      ['propose_change', { ...elsewhere, patch: { is_enabled: false }, apply: true }],
      ['archive_flag', elsewhere],
      ['create_flag', { project: 'blog', environment: 'production', flag_key: 'new' }],
    ]
    for (const [tool, args] of calls) {
      const refused = await bound.use(tool, args)
      expect(refused, tool).toMatchObject({ isError: true })
      expect(refused.content[0].text).toContain(`These tools see: ${slug}.`)
    }
    // Without a name it is the project of the tools, though the token sees two.
    const found = await bound.use('find_flags', { environment: 'production' })
    expect(found.content[0].text).toContain('"checkout"')
    expect(await bound.end()).toBe(0)
  }
  const flags = (await server.call({ path })).body
  expect(flags).toMatchObject([{ key: 'post', is_enabled: true, revision: 1, archived_at: null }])
  const contradictions: [string[], string[]][] = [
    [
      ['--write', '--environments', 'blog/production'],
      ['blog/production', '--project', slug],
    ],
    [
      ['--env', 'staging'],
      ['staging', '--environments'],
    ],
  ]
  for (const [args, names] of contradictions) {
    const refused = await run(['mcp', '--project', slug, ...args], { env: server.env })
    expect(refused.code).toBe(2)
    for (const name of names) expect(refused.err).toContain(name)
  }
  expect((await server.call({ path: `/api/projects/${other.id}`, method: 'DELETE' })).status).toBe(204)
})

test('the endpoints of a bound server of tools take no id of another project', async () => {
  const other = (await server.call({ path: '/api/projects', body: { name: 'Wiki' } })).body
  const [{ id: env_id }] = other.environments
  const client = createApi(server.url, server.token)
  const send: ToolApi['send'] = async (name, input) => {
    const { body, headers } = await client.send(name, input)
    return { body, header: (wanted) => headers.get(wanted) }
  }
  const open: ToolApi = { send, call: async (name, input) => (await send(name, input)).body }
  const bound = boundApi(open, server.project.slug)
  const { staging } = server.environments
  expect(await bound.call('listProjects', {})).toMatchObject([{ id: server.project.id }])
  const inside = { project_id: server.project.id }
  const calls: (() => Promise<unknown>)[] = [
    () => bound.call('listFlags', { params: { env_id } }),
    () => bound.call('listEnvironments', { params: { project_id: other.id } }),
    () => bound.call('compareFlags', { params: inside, query: { source: staging, target: env_id } }),
    () =>
      bound.call('promoteFlag', { params: { env_id: staging, key: 'x' }, body: { target_env_id: env_id } }),
    // Neither names a project: they reach every one.
    () => bound.call('listUsers', {}),
    () => bound.call('createProject', { body: { name: 'New' } }),
  ]
  for (const call of calls) await expect(call()).rejects.toThrow('These tools are for the project')
  expect(await bound.call('listFlags', { params: { env_id: staging } })).toMatchObject([{ key: 'checkout' }])
  await expect(boundApi(open, 'nowhere').call('listProjects', {})).rejects.toThrow('does not see')
  expect((await server.call({ path: `/api/projects/${other.id}`, method: 'DELETE' })).status).toBe(204)
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
