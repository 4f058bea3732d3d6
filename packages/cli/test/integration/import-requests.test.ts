import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { IMPORT_REQUESTS, type ImportSystem } from '@burgee/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { run, temporaryFolder } from '../harness/run.ts'

const FLAGS = 250
const keyOf = (index: number) => `flag-${index}`

/** Answers as the services do, in their pages. */
function answer({ headers, url = '' }: IncomingMessage, body: string): object {
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  const offset = Number(searchParams.get('offset'))
  const page = (limit: number) =>
    Array.from({ length: Math.max(0, Math.min(limit, FLAGS - offset)) }, (_, index) => keyOf(offset + index))
  if (pathname.startsWith('/api/v2/')) {
    expect(headers['ld-api-version']).toBe('20240415')
    const limit = Number(searchParams.get('limit'))
    const isMore = offset + limit < FLAGS
    const items = page(Math.min(limit, 100)).map((key) =>
      pathname.startsWith('/api/v2/flags/')
        ? ldFlag(key, searchParams.getAll('env'))
        : ldSegment(key, pathname),
    )
    return { items, totalCount: FLAGS, _links: isMore ? { next: { href: '/more' } } : {} }
  }
  if (pathname === '/api/v1/features') {
    const environments = { production: { enabled: true, rules: [] } }
    const features = page(Number(searchParams.get('limit'))).map((id) => ({
      ...{ id, environments, valueType: 'boolean', defaultValue: 'true' },
    }))
    return { features, offset, total: FLAGS, hasMore: offset + features.length < FLAGS }
  }
  if (pathname === '/api/admin/segments') return { segments: [] }
  if (pathname.startsWith('/api/admin/')) {
    const { environment, features } = JSON.parse(body)
    expect(features).toEqual([])
    return {
      features: [{ name: 'a' }],
      featureEnvironments: [{ featureName: 'a', environment, enabled: true }],
      featureStrategies: [],
    }
  }
  if (pathname.startsWith('/api/v1/environment-document'))
    return { name: headers['x-environment-key'], feature_states: [{ feature: { name: 'a' }, enabled: true }] }
  return { f: { [pathname.split('/')[2] ?? '']: { t: 0, v: { b: true } } } }
}

const ldFlag = (key: string, environments: readonly string[]) => ({
  ...{ key, kind: 'boolean', variations: [{ value: true }, { value: false }] },
  environments: Object.fromEntries(
    environments.map((name) => [name, { on: true, fallthrough: { variation: 0 }, offVariation: 1 }]),
  ),
})

const ldSegment = (key: string, pathname: string) => ({
  ...{ key, name: key, included: ['ann'], excluded: [], rules: [] },
  _links: { parent: { href: pathname } },
})

let server: Server
let url: string

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answer(request, body)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

const HAS_CURL = spawnSync('curl', ['--version']).status === 0

const CASES: readonly (readonly [ImportSystem, string, number, readonly string[]])[] = [
  ['launchdarkly', '', FLAGS * 2, ['production', 'staging']],
  ['unleash', '', 2, ['production', 'development']],
  ['growthbook', '', FLAGS, ['production']],
  ['flagsmith', 'one\ntwo\n', 2, ['one', 'two']],
  ['configcat', 'key\n', 1, ['production']],
]

it.runIf(HAS_CURL).each(CASES)(
  'the commands for %s write files that are imported whole',
  async (system, input, flags, environments) => {
    const cwd = temporaryFolder()
    const command = (IMPORT_REQUESTS[system].command ?? '').replaceAll(
      /https:\/\/[a-z.-]+\.(?:com|io)(?=\/)/g,
      url,
    )
    // The server is in this process, which may not wait for the shell.
    await new Promise<void>((resolve, reject) => {
      const env = { ...process.env, TOKEN: 't', PROJECT: 'shop', SECRET_KEY: 's', UNLEASH_URL: url }
      const child = execFile('sh', ['-ec', command], { cwd, env }, (error) =>
        error ? reject(error) : resolve(),
      )
      child.stdin?.end(input)
    })
    const files = readdirSync(cwd)
    const { code, err, out } = await run(['import', system, ...files, '--out', 'out', '-o', 'json'], { cwd })
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const report = JSON.parse(out) as { flags: { environment: string; class: string }[] }
    expect(report.flags).toHaveLength(flags)
    expect(new Set(report.flags.map(({ environment }) => environment))).toEqual(new Set(environments))
    if (system !== 'launchdarkly') return
    const first = files.filter((name) => !/^flags-production-[12]00/.test(name))
    const part = await run(['import', system, ...first], { cwd })
    expect(part).toMatchObject({ code: 2, err: expect.stringContaining('150 are missing') })
    expect(part.err).toContain('env=')
    const allowed = await run(['import', system, ...first, '--partial', '-o', 'json'], { cwd })
    expect(allowed.code).toBe(0)
    expect(JSON.parse(allowed.out).notes).toMatchObject([{ code: 'partial' }])
  },
)

it('the commands are right for a shell', () => {
  for (const { command } of Object.values(IMPORT_REQUESTS))
    if (command !== undefined) execFileSync('sh', ['-n', '-c', command])
})
