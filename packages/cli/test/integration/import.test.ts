import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../../server/test/harness/start-test-server.ts'
import { run, temporaryFolder } from '../harness/run.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const SAMPLES = fileURLToPath(new URL('../../../importers/test/samples', import.meta.url))
const read = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8')
const FLAG = { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'on' }

const env = async () => {
  const created = await server.call({
    path: `/api/projects/${server.project.id}/keys`,
    body: {
      name: `import ${crypto.randomUUID()}`,
      environment_id: server.environments.staging,
      kind: 'server',
    },
  })
  return { BURGEE_URL: server.url, BURGEE_TOKEN: created.body.key as string }
}

describe('burgee import', () => {
  it('writes files that apply takes as they are, with the report', async () => {
    const cwd = temporaryFolder()
    const file = join(SAMPLES, 'flagd/example_flags.flagd.json')
    const args = [
      'import',
      'flagd',
      file,
      '--environment',
      'staging',
      '--out',
      'flags',
      '--attribute',
      'email=mail',
    ]
    const { code, err, out } = await run(args, { cwd })
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/exact +\d+/)
    const folder = join(cwd, 'flags')
    expect(readdirSync(folder)).toEqual(['report.json', 'report.md', 'staging.burgee.yaml'])
    const report = JSON.parse(read(folder, 'report.json'))
    expect(report).toMatchObject({ system: 'flagd', flags: expect.any(Array) })
    expect(read(folder, 'report.md')).toContain('# Import from flagd')
    expect(read(folder, 'staging.burgee.yaml')).toContain('attribute: mail')
    const planned = await run(['plan', '-f', 'flags/staging.burgee.yaml'], { cwd, env: await env() })
    expect({ code: planned.code, err: planned.err }).toEqual({ code: 3, err: '' })
  })

  it('applies at once on request, and a second time changes nothing', async () => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'flags.json'), JSON.stringify({ flags: { 'my flag': FLAG, other: FLAG } }))
    const args = ['import', 'flagd', 'flags.json', '--apply', '-o', 'json']
    const settings = { cwd, env: await env() }
    const first = await run(args, settings)
    expect({ code: first.code, err: first.err }).toEqual({ code: 0, err: '' })
    expect(JSON.parse(first.out).applied[0].changes).toHaveLength(2)
    const second = await run(args, settings)
    expect(JSON.parse(second.out).applied[0].changes).toEqual([])
    expect(JSON.parse(read(cwd, 'aliases.json'))).toEqual({ 'my flag': 'my-flag' })
  })

  it('imports a newer file over edits: only what changed there is written, and edits are named', async () => {
    const cwd = temporaryFolder()
    const flag = (variant: string, owner = '') => ({
      ...{ ...FLAG, defaultVariant: variant },
      ...(owner !== '' && { metadata: { owner } }),
    })
    const write = (name: string, flags: object) => writeFileSync(join(cwd, name), JSON.stringify({ flags }))
    write('old.json', {
      still: flag('on'),
      there: flag('on'),
      here: flag('on'),
      both: flag('on'),
      gone: flag('on'),
    })
    const settings = { cwd, env: await env() }
    expect((await run(['import', 'flagd', 'old.json', '--apply'], settings)).code).toBe(0)
    const path = `/api/environments/${server.environments.staging}/flags`
    const patch = (key: string, body: object) =>
      server.call({ method: 'PATCH', path: `${path}/${key}`, body })
    await patch('here', { is_enabled: false })
    await patch('both', { default_value: false, metadata: { owner: 'us' } })

    write('new.json', {
      still: flag('on'),
      there: flag('off'),
      here: flag('on'),
      both: flag('on', 'them'),
      added: flag('on'),
    })
    const args = ['import', 'flagd', 'new.json', '--since', 'old.json', '--apply', '-o', 'json']
    const { code, err, out } = await run(args, settings)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const { applied, edited, notes } = JSON.parse(out)
    const changes = applied.flatMap((one: { changes: { action: string; key: string }[] }) => one.changes)
    expect(changes.map(({ action, key }: { action: string; key: string }) => [key, action]).sort()).toEqual([
      ['added', 'create'],
      ['there', 'update'],
    ])
    expect(edited.sort((a: { key: string }, b: { key: string }) => a.key.localeCompare(b.key))).toMatchObject(
      [
        { key: 'both', fields: expect.arrayContaining(['default_value', 'metadata']), kept: ['metadata'] },
        { key: 'here', fields: ['is_enabled'], kept: [] },
      ],
    )
    expect(notes).toMatchObject([
      { code: 'utf_16' },
      { code: 'gone_there', message: expect.stringMatching(/^gone /) },
    ])
    const read = async (key: string) => (await server.call({ path: `${path}/${key}` })).body
    expect(await read('here')).toMatchObject({ is_enabled: false, default_value: true })
    expect(await read('both')).toMatchObject({ default_value: false, metadata: { owner: 'us' } })
    expect(await read('there')).toMatchObject({ default_value: false })
    expect(await read('gone')).toMatchObject({ archived_at: null, default_value: true })
    const text = await run(args.slice(0, -2), settings)
    expect(text.out).toContain('Edited here since: flag here (is_enabled).')
    expect(text.out).toContain('Not imported, because both changed it: metadata.')
  })

  it('refuses what it cannot read, and says what to do', async () => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'bad.json'), '{"flags":')
    const said = async (...args: string[]) => {
      const { code, err } = await run(['import', ...args], { cwd })
      expect(code).toBe(2)
      return err
    }
    expect(await said('flagd', 'bad.json')).toContain('bad.json is not JSON')
    expect(await said('flagd', 'gone.json')).toContain('gone.json cannot be read')
    expect(await said('nowhere', 'bad.json')).toContain('launchdarkly')
    expect(await said('flagd', 'bad.json', '--attribute', 'x')).toContain('from=to')
    const flags = join(SAMPLES, 'launchdarkly/rest-flags.json')
    expect(await said('launchdarkly', flags, '--apply')).toContain('--environment')
    expect(readdirSync(cwd)).toEqual(['bad.json'])
  })

  it('shows texts of a file as text, and keeps its names out of paths', async () => {
    const cwd = temporaryFolder()
    const key = '](http://x) `code` <img src=x>\n# title'
    writeFileSync(join(cwd, 'flags.json'), JSON.stringify({ flags: { [key]: FLAG } }))
    const { code } = await run(['import', 'flagd', 'flags.json', '--environment', '../../up'], { cwd })
    expect(code).toBe(0)
    expect(readdirSync(cwd)).toEqual([
      'aliases.json',
      'flags.json',
      'report.json',
      'report.md',
      'up.burgee.yaml',
    ])
    const lines = read(cwd, 'report.md').split('\n')
    expect(lines.filter((line) => line.startsWith('# '))).toEqual(['# Import from flagd'])
    expect(lines.find((line) => line.includes('<img'))).toMatch(/^- ``.*``/)
  })

  it('verifies with the engine of the service, and says which flags differ', async () => {
    const cwd = temporaryFolder()
    const file = join(SAMPLES, 'flagd/example_flags.flagd.json')
    const { code, err, out } = await run(['import', 'flagd', file, '--verify', '200'], { cwd })
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/Verified \d+ exact flags with 200 users: 0 differ\./)
    const flagsmith = join(SAMPLES, 'flagsmith/environment.json')
    const other = await run(['import', 'flagsmith', flagsmith, '--verify', '200'], { cwd })
    expect({ code: other.code, err: other.err }).toEqual({ code: 0, err: '' })
    expect(other.out).toContain('Verified 1 exact flag with 200 users: 0 differ.')
    // This engine says yes where the real one says no.
    const engine = join(cwd, 'node_modules/@openfeature/flagd-core')
    mkdirSync(engine, { recursive: true })
    writeFileSync(join(engine, 'package.json'), '{"main":"index.cjs"}')
    writeFileSync(
      join(engine, 'index.cjs'),
      'exports.FlagdCore = class { setConfigurations() {} getFlag() { return { evaluate: () => ({ value: 7 }) } } }',
    )
    writeFileSync(join(cwd, 'flags.json'), JSON.stringify({ flags: { other: FLAG } }))
    const differs = await run(['import', 'flagd', 'flags.json', '--verify', '50', '-o', 'json'], { cwd })
    expect(differs.code).toBe(1)
    expect(JSON.parse(differs.out).verified).toMatchObject([
      { key: 'other', compared: 50, differences: 50, example: { theirs: 7, ours: true } },
    ])
  })

  it('verifies a file without flags, and leaves out what SDKs do not receive', async () => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'none.json'), '{"version": 2, "features": []}')
    const none = await run(['import', 'unleash', 'none.json', '--verify', '5'], { cwd })
    expect(none).toMatchObject({ code: 0, err: '' })
    expect(none.out).toContain('Verified 0 exact flags with 5 users: 0 differ.')
    const state = {
      ...{ version: 3, features: [{ name: 'old', archived: true }, { name: 'new' }] },
      featureEnvironments: ['old', 'new'].map((featureName) => ({
        ...{ featureName, environment: 'production', enabled: true },
      })),
      featureStrategies: [{ featureName: 'new', environment: 'production', name: 'default' }],
    }
    writeFileSync(join(cwd, 'state.json'), JSON.stringify(state))
    const { code, out } = await run(['import', 'unleash', 'state.json', '--verify', '5'], { cwd })
    expect(code).toBe(0)
    expect(out).toContain('Verified 1 exact flag with 5 users: 0 differ.\nNot compared: 1 exact flag')
  })

  it('reads files as programs of Windows write them, and names the line of bytes that are no text', async () => {
    const cwd = temporaryFolder()
    const text = JSON.stringify({ flags: { other: FLAG } }, null, 2).replaceAll('\n', '\r\n')
    writeFileSync(join(cwd, 'a.json'), Buffer.from(`\uFEFF${text}`, 'utf16le'))
    expect(await run(['import', 'flagd', 'a.json'], { cwd })).toMatchObject({ code: 0, err: '' })
    writeFileSync(join(cwd, 'b.json'), Buffer.from(text.replace('other', 'Caf\u00e9'), 'latin1'))
    const refused = await run(['import', 'flagd', 'b.json'], { cwd })
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('line 3') })
    const plan = Buffer.from('\uFEFFapiVersion: burgee/v1\r\nenvironment: staging\r\n', 'utf16le')
    writeFileSync(join(cwd, 'staging.burgee.yaml'), plan)
    const planned = await run(['plan', '-f', 'staging.burgee.yaml'], { cwd, env: await env() })
    expect(planned.err).not.toContain('must be an object')
  })

  it('refuses to verify without an engine, and names it', async () => {
    const cwd = temporaryFolder()
    const file = join(SAMPLES, 'go-feature-flag/flag-config.yaml')
    const none = await run(['import', 'goff', file, '--verify', '10'], { cwd })
    expect(none).toMatchObject({ code: 2, err: expect.stringContaining('unleash') })
    const wrong = await run(['import', 'flagd', file, '--verify', 'many'], { cwd })
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('1 to 1000000') })
    expect(readdirSync(cwd)).toEqual([])
  })
})
