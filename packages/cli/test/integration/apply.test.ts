import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { applyFileSchema } from '@burgee/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { eventually } from '../../../server/test/harness/eventually.ts'
import { readStream } from '../../../server/test/harness/read-stream.ts'
import { createKey } from '../../../server/test/reports/client-key.ts'
import { run, temporaryFolder } from '../harness/run.ts'
import { type CommandServer, startCommandServer } from '../harness/start-command-server.ts'

let server: CommandServer
let burgee: CommandServer['burgee']

beforeAll(async () => {
  server = await startCommandServer()
  burgee = server.burgee
})
afterAll(() => server.close())

/** Writes a file with the frame of the format, and returns its folder. */
function fileOf(body: string, head = 'name: team\nenvironment: staging\n'): string {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'flags.yaml'), `apiVersion: burgee/v1\n${head}${body}`)
  return folder
}

const flagOf = async (key: string, env_id = server.environments.staging) =>
  (await server.call({ path: `/api/environments/${env_id}/flags/${key}` })).body

describe('plan and apply', () => {
  test('apply describes what it did in the words of the plan', async () => {
    const folder = fileOf('flags: [{ key: worded, rollout_percentage: 10 }]\n')
    await burgee(['apply', '-f', 'flags.yaml'], folder)
    const people = fileOf('segments: [{ key: people, name: People, rules: [], included_keys: [u1] }]\n')
    expect((await burgee(['apply', '-f', 'flags.yaml'], people)).code).toBe(0)
    const grown = fileOf(
      'segments: [{ key: people, name: All, rules: [{ attribute: plan, operator: equals, values: [pro] }], included_keys: [u1, u2] }]\n',
    )
    for (const command of ['plan', 'apply']) {
      const { out: lines } = await burgee([command, '-f', 'flags.yaml'], grown)
      expect(lines).toContain('    name "People" -> "All"\n')
      expect(lines).toMatch(/ {4}rule 1 added: plan .*pro\n/)
      expect(lines).toContain('    included user keys: 1 added (1 -> 2)\n')
    }
    const more = fileOf('flags: [{ key: worded, rollout_percentage: 25 }]\n')
    const { out } = await burgee(['plan', '-f', 'flags.yaml'], more)
    expect(out).toContain('rollout 10% -> 25%')
    expect((await burgee(['apply', '-f', 'flags.yaml'], more)).out).toContain('rollout 10% -> 25%')
  })

  test('a file for another project or environment than the command line is refused with both names', async () => {
    const folder = fileOf('flags: [{ key: misplaced }]\n', 'name: team\nenvironment: production\n')
    const shop = fileOf('flags: [{ key: misplaced }]\n', 'project: other\nenvironment: staging\n')
    const slug = server.project.slug
    const cases: [string[], string, Record<string, string>, string[]][] = [
      [['--env', 'staging'], folder, {}, ['production', '--env', 'staging']],
      [[], folder, { BURGEE_ENV: 'staging' }, ['production', 'BURGEE_ENV', 'staging']],
      [['--env', server.environments.staging], folder, {}, ['production', server.environments.staging]],
    ]
    for (const command of ['plan', 'apply'])
      for (const [args, cwd, variables, names] of cases) {
        const refused = await burgee([command, '-f', 'flags.yaml', ...args], cwd, variables)
        expect(refused.code).toBe(2)
        for (const name of ['flags.yaml:1', ...names]) expect(refused.err).toContain(name)
      }
    for (const [args, variables] of [
      [['--project', slug], {}],
      [[], { BURGEE_PROJECT: slug }],
    ] as const) {
      const tested = await run(['test', '-f', 'flags.yaml', ...args], { cwd: shop, env: variables })
      expect(tested.code).toBe(2)
      for (const name of ['flags.yaml:1', 'other', slug]) expect(tested.err).toContain(name)
    }
    const others = (await server.call({ path: '/api/projects', body: { name: 'Other' } })).body
    for (const command of ['plan', 'apply']) {
      const refused = await burgee([command, '-f', 'flags.yaml', '--project', slug], shop)
      expect(refused.code).toBe(2)
      for (const name of ['flags.yaml:1', 'other', '--project', slug]) expect(refused.err).toContain(name)
    }
    const demands = fileOf('invariants: [{ key: i, flag: misplaced, never: [true] }]\n', 'project: other\n')
    expect((await burgee(['plan', '-f', 'flags.yaml', '--project', slug], demands)).code).toBe(2)
    for (const id of [server.environments.production, server.environments.staging])
      expect((await server.call({ path: `/api/environments/${id}/flags/misplaced` })).status).toBe(404)
    // What agrees, by slug or by id, is applied: an option comes before its variable.
    const ids = ['--env', server.environments.production, '--project', server.project.id]
    expect((await burgee(['plan', '-f', 'flags.yaml', ...ids], folder, { BURGEE_ENV: 'staging' })).code).toBe(
      3,
    )
    expect((await server.call({ path: `/api/projects/${others.id}`, method: 'DELETE' })).status).toBe(204)
  })

  test('options that another option contradicts are refused with both names', async () => {
    for (const [args, names] of [
      [
        ['promote', 'x', '--from', 'staging', '--to', 'production', '--env', 'staging'],
        ['--env', '--to'],
      ],
      [
        ['diff', '--from', 'staging', '--to', 'production', '--env', 'staging'],
        ['--env', '--from'],
      ],
      [
        ['drift', '--from', 'staging', '--to', 'production', '--env', 'staging'],
        ['--env', '--from'],
      ],
      [
        ['export', '--all', '--env', 'staging'],
        ['--all', '--env'],
      ],
    ] as const) {
      const refused = await burgee(args)
      expect(refused.code).toBe(2)
      for (const name of names) expect(refused.err).toContain(name)
    }
  })

  test('a file without an environment is for that of a server key', async () => {
    const folder = fileOf('flags: [{ key: by-key }]\n', '')
    const env = { BURGEE_URL: server.url, BURGEE_TOKEN: server.sdkKey }
    const planned = await run(['plan', '-f', 'flags.yaml'], { cwd: folder, env })
    expect(planned).toMatchObject({
      code: 3,
      out: expect.stringContaining(`${server.project.slug}/production`),
    })
  })

  test('a flag of another name is refused until --take-over', async () => {
    const first = fileOf('flags: [{ key: owned, tags: [a] }]\n')
    expect(await burgee(['apply', '-f', 'flags.yaml'], first)).toMatchObject({ code: 0 })
    const second = fileOf('flags: [{ key: owned, tags: [b] }]\n', 'name: another\nenvironment: staging\n')
    for (const command of ['plan', 'apply'])
      expect(await burgee([command, '-f', 'flags.yaml'], second)).toMatchObject({
        code: 1,
        err: expect.stringContaining('--take-over manages it with the name of these files'),
      })
    expect(await flagOf('owned')).toMatchObject({ managed_by: 'team', tags: ['a'] })
    expect(await burgee(['apply', '-f', 'flags.yaml', '--take-over'], second)).toMatchObject({ code: 0 })
    expect(await flagOf('owned')).toMatchObject({ managed_by: 'another', tags: ['b'] })
  })

  test('the plan counts the users who change, of those given or seen, within a bound', async () => {
    const folder = fileOf(`
flags:
  - key: counted
    is_enabled: true
    rollout_percentage: 0
    rules: [{ attribute: plan, operator: equals, values: [pro] }]
`)
    const users = ['ann', 'ben', 'cat'].map((user_key, at) => ({
      user_key,
      attributes: { plan: at === 0 ? 'pro' : 'free' },
    }))
    writeFileSync(join(folder, 'users.ndjson'), `${users.map((user) => JSON.stringify(user)).join('\n')}\n`)
    await burgee(['apply', '-f', 'flags.yaml'], folder)
    writeFileSync(
      join(folder, 'flags.yaml'),
      'apiVersion: burgee/v1\nname: team\nenvironment: staging\nflags: [{ key: counted, rules: [] }]\n',
    )
    const planned = await burgee(['plan', '-f', 'flags.yaml', '--users', 'users.ndjson'], folder)
    expect(planned).toMatchObject({ code: 3, err: '' })
    expect(planned.out).toContain('1 of 3 given users gets another result.')
    expect(planned.out).toContain('counted: 1 loses access')
    const json = await burgee(['plan', '-f', 'flags.yaml', '--users', 'users.ndjson', '-o', 'json'], folder)
    expect(JSON.parse(json.out).impact).toMatchObject({ changed: { certain: 1, possible: 0 }, exact: true })

    const bounded = ['plan', '-f', 'flags.yaml', '--users', 'users.ndjson', '--max-users-changed']
    expect(await burgee([...bounded, '1'], folder)).toMatchObject({ code: 3, err: '' })
    const refused = await burgee([...bounded, '0'], folder)
    expect(refused.code).toBe(3)
    expect(refused.err).toContain('Up to 1 user gets another result, and --max-users-changed is 0.')
    expect((await burgee([...bounded, 'few'], folder)).code).toBe(2)
    writeFileSync(join(folder, 'users.ndjson'), '{"user_key": 3}\n')
    const invalid = await burgee([...bounded, '1'], folder)
    expect(invalid).toMatchObject({ code: 2, err: expect.stringContaining('users.ndjson:1 has no user_key') })
  })

  test('the plan names each change in words and exits with 3; the apply makes exactly these', async () => {
    const folder = fileOf(`
segments: [{ key: beta, name: Beta, rules: [], included_keys: [u1] }]
flags:
  - key: checkout
    rollout_percentage: 25
    rules: [{ segment_key: beta }]
    create: { is_enabled: true }
`)
    const first = await burgee(['plan', '-f', 'flags.yaml'], folder)
    expect(first).toMatchObject({ code: 3, err: '' })
    expect(first.out).toContain('+ segment beta: create')
    expect(first.out).toContain('+ flag checkout: create')
    expect(first.out).toContain('    rollout_percentage: 25\n')
    expect(first.out).not.toContain('null')
    expect(first.out).toContain('2 to create, 0 to update, 0 to archive')
    expect((await burgee(['flags', 'get', 'checkout', '--env', 'staging'])).code).toBe(1)

    const planned = await burgee(['plan', '-f', 'flags.yaml', '-o', 'json'], folder)
    const applied = await burgee(['apply', '-f', 'flags.yaml', '-o', 'json'], folder)
    expect(applied.code).toBe(0)
    expect(JSON.parse(applied.out).changes).toEqual(JSON.parse(planned.out).changes)
    expect(await flagOf('checkout')).toMatchObject({
      is_enabled: true,
      rollout_percentage: 25,
      managed_by: 'team',
    })
    expect(await burgee(['plan', '-f', 'flags.yaml'], folder)).toMatchObject({
      code: 0,
      out: expect.stringContaining('Nothing would change.'),
    })
  })

  test('a field that the file does not name belongs to the dashboard', async () => {
    const folder = fileOf('flags: [{ key: night, rollout_percentage: 10, create: { is_enabled: true } }]\n')
    expect((await burgee(['apply', '-f', 'flags.yaml'], folder)).code).toBe(0)
    expect((await burgee(['flags', 'disable', 'night', '--env', 'staging'])).code).toBe(0)
    writeFileSync(
      join(folder, 'flags.yaml'),
      readFileSync(join(folder, 'flags.yaml'), 'utf8').replace('10', '25'),
    )
    const plan = await burgee(['plan', '-f', 'flags.yaml'], folder)
    expect(plan.out).toContain('    rollout 10% -> 25%\n')
    expect(plan.out).not.toContain('switched on')
    expect((await burgee(['apply', '-f', 'flags.yaml'], folder)).code).toBe(0)
    expect(await flagOf('night')).toMatchObject({ is_enabled: false, rollout_percentage: 25 })
  })

  test('flags that the file no longer lists are named, and archived with --prune alone', async () => {
    const both = 'flags: [{ key: pruned }, { key: kept }]\n'
    const folder = fileOf(both, 'name: pruning\nenvironment: staging\n')
    expect((await burgee(['apply', '-f', 'flags.yaml'], folder)).code).toBe(0)
    const fewer = fileOf('flags: [{ key: kept }]\n', 'name: pruning\nenvironment: staging\n')
    const plan = await burgee(['plan', '-f', 'flags.yaml'], fewer)
    expect(plan).toMatchObject({ code: 0, out: expect.stringContaining('--prune archives it') })
    const pruned = await burgee(['plan', '-f', 'flags.yaml', '--prune'], fewer)
    expect(pruned).toMatchObject({ code: 3, out: expect.stringContaining('- flag pruned: archive') })
    expect(pruned.out).not.toContain('archived_at')
    expect((await burgee(['apply', '-f', 'flags.yaml', '--prune'], fewer)).code).toBe(0)
    expect((await flagOf('pruned')).archived_at).not.toBeNull()
    expect((await flagOf('kept')).archived_at).toBeNull()
  })

  test('a plan from a file is refused once a flag of it has moved', async () => {
    const folder = fileOf('flags: [{ key: moved, rollout_percentage: 10 }]\n')
    await burgee(['apply', '-f', 'flags.yaml'], folder)
    writeFileSync(
      join(folder, 'flags.yaml'),
      readFileSync(join(folder, 'flags.yaml'), 'utf8').replace('10', '30'),
    )
    const plan = await burgee(['plan', '-f', 'flags.yaml', '-o', 'json'], folder)
    writeFileSync(join(folder, 'plan.json'), plan.out)
    expect((await burgee(['flags', 'enable', 'moved', '--env', 'staging'])).code).toBe(0)
    const refused = await burgee(['apply', '-f', 'flags.yaml', '--plan', 'plan.json'], folder)
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('moved') })
    expect(await flagOf('moved')).toMatchObject({ rollout_percentage: 10 })
  })

  test('where changes need approval the command opens requests and exits with 4', async () => {
    const env_id = server.environments.production
    const head = 'name: guarded\nenvironment: production\n'
    const folder = fileOf('flags: [{ key: guarded, rollout_percentage: 10 }]\n', head)
    expect((await burgee(['apply', '-f', 'flags.yaml'], folder)).code).toBe(0)
    const path = `/api/projects/${server.project.id}/environments/${env_id}/require-approval`
    await server.call({ path, body: { require_approval: true, approval_scope: 'all' } })
    const changed = fileOf('flags: [{ key: guarded, rollout_percentage: 60 }]\n', head)
    const waiting = await burgee(['apply', '-f', 'flags.yaml'], changed)
    expect(waiting).toMatchObject({ code: 4, out: expect.stringContaining('waits for approval: guarded') })
    expect(waiting.out).not.toContain('Done')
    expect((await flagOf('guarded', env_id)).rollout_percentage).toBe(10)
  })
})

describe('waiting for clients', () => {
  const file = (percentage: number) => fileOf(`flags: [{ key: spread, rollout_percentage: ${percentage} }]\n`)
  const propagation = async () =>
    (await server.call({ path: `/api/environments/${server.environments.staging}/propagation` })).body

  test('apply --wait ends when the clients have confirmed, and fails with their names otherwise', async () => {
    const key = await createKey(server, server.environments.staging, 'server')
    const client = randomUUID()
    const stream = await readStream(`${server.url}/stream`, {
      Authorization: `Bearer ${key.bearer}`,
      'X-Burgee-Client': `id=${client}, app=checkout, sdk=js/1.4.0, instance=host-1`,
    })
    try {
      await eventually(async () => (await propagation()).clients.total === 1)
      const late = await burgee(
        ['apply', '-f', 'flags.yaml', '--wait', '95%', '--wait-timeout', '1'],
        file(10),
      )
      expect(late).toMatchObject({ code: 1, out: expect.stringContaining('Done. Revision') })
      expect(late.err).toContain('applied, but after 1 s only 0 of 1 clients')
      expect(late.err).toContain('checkout host-1: revision')

      const waiting = burgee(['apply', '-f', 'flags.yaml', '--wait', '95%', '-o', 'json'], file(20))
      await eventually(async () => (await flagOf('spread')).rollout_percentage === 20)
      const { revision } = await propagation()
      const body = { client, applied: [[revision, 1]] }
      expect((await server.call({ method: 'POST', path: '/sdk/ack', as: key, body })).status).toBe(204)
      const done = await waiting
      expect(done).toMatchObject({ code: 0, err: expect.stringContaining('1 of 1 clients') })
      expect(JSON.parse(done.out)).toMatchObject({ revision })
    } finally {
      stream.close()
    }
  })

  test.each([
    [['--wait', '0'], /--wait 0: give a percentage/],
    [['--wait', 'all'], /--wait all: give a percentage/],
    [['--wait', '9', '--wait-timeout', '1e9'], /whole seconds from 1 to 3600/],
    [['--wait-timeout', '5'], /--wait-timeout needs --wait/],
  ])('%s is refused before anything is sent', async (options, message) => {
    const refused = await burgee(['apply', '-f', 'flags.yaml', ...options], file(77))
    expect(refused).toMatchObject({ code: 2, err: expect.stringMatching(message) })
    expect((await flagOf('spread')).rollout_percentage).not.toBe(77)
  })
})

describe('files', () => {
  test.each([
    ['a field of no document', 'flag: []\n', /flags\.yaml:4: there is no field flag/],
    ['no list', 'flags: 3\n', /flags\.yaml:4: flags must be a list/],
    ['invalid YAML', 'flags: [\n', /flags\.yaml:\d+: /],
    ['a key twice', 'flags: []\nflags: []\n', /flags\.yaml:5: Map keys must be unique/],
    ['nested too deeply', `flags: ${'['.repeat(200_000)}\n`, /nested too deeply/],
    [
      'an alias that grows',
      `a: &a [1,1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\n`,
      /Excessive alias count/,
    ],
  ])('%s is refused with its line, and nothing is sent', async (_, body, message) => {
    const refused = await burgee(['apply', '-f', 'flags.yaml'], fileOf(body))
    expect(refused.code).toBe(2)
    expect(refused.err).toMatch(message)
  })

  test('an item of a list of documents is refused with its own line', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'flags.json'), '[\n{"apiVersion": "burgee/v1"},\n{"flags": []}\n]')
    expect(await burgee(['plan', '-f', 'flags.json'], folder)).toMatchObject({
      code: 2,
      err: expect.stringContaining('flags.json:3: apiVersion must be burgee/v1'),
    })
  })

  test('what the server refuses has its line, and all problems are named', async () => {
    const folder = fileOf(
      'flags:\n  - key: one\n    rollout_percentage: 101\n  - key: two\n    rollout_percentage: -1\n',
    )
    const refused = await burgee(['apply', '-f', 'flags.yaml'], folder)
    expect(refused.code).toBe(1)
    expect(refused.err).toContain('flags.yaml:5: /flags/0/rollout_percentage')
    expect(refused.err).toContain('flags.yaml:7: /flags/1/rollout_percentage')
  })

  test('a file larger than the limit is not read', async () => {
    const folder = fileOf(`# ${'x'.repeat(8 * 1024 * 1024)}\n`)
    expect(await burgee(['plan', '-f', 'flags.yaml'], folder)).toMatchObject({
      code: 2,
      err: expect.stringContaining('at most 8 MiB'),
    })
  })
})

describe('export', () => {
  test('applying an export changes nothing, and it makes the same flags elsewhere', async () => {
    const folder = temporaryFolder()
    expect(
      (await burgee(['export', '--env', 'staging', '--archived', '--out', 'all.yaml'], folder)).code,
    ).toBe(0)
    expect(await burgee(['plan', '-f', 'all.yaml'], folder)).toMatchObject({ code: 0 })

    const document = parse(readFileSync(join(folder, 'all.yaml'), 'utf8'))
    expect(document).toMatchObject({
      apiVersion: 'burgee/v1',
      project: server.project.slug,
      environment: 'staging',
    })
    writeFileSync(join(folder, 'copy.yaml'), JSON.stringify({ ...document, environment: 'development' }))
    expect((await burgee(['apply', '-f', 'copy.yaml'], folder)).code).toBe(0)
    const diff = await burgee(['diff', '--from', 'staging', '--to', 'development', '--exit-code'])
    expect(diff).toMatchObject({ code: 0, out: 'staging and development have the same flags.\n' })
    const drift = await burgee(['drift', '--from', 'staging', '--to', 'development'])
    expect(drift).toMatchObject({ code: 0, out: 'Every flag gives every user the same.\n' })
  })

  test('every environment of the project fits into one file', async () => {
    const folder = temporaryFolder()
    await burgee(['export', '--all', '--out', 'all.yaml'], folder)
    const text = readFileSync(join(folder, 'all.yaml'), 'utf8')
    expect(text).toMatch(`# yaml-language-server: $schema=${server.url}/api/schemas/apply.json\n`)
    expect(text.match(/^environment: /gm)).toHaveLength(3)
    const isValid = new Ajv2020({ strict: false, validateFormats: false }).compile(applyFileSchema())
    for (const one of parseAllDocuments(text)) expect(isValid(one.toJS())).toBe(true)
    expect((await burgee(['plan', '-f', 'all.yaml', '-q'], folder)).code).toBe(0)
    await burgee(['export', '--all', '--out', 'all.json', '-o', 'json'], folder)
    expect(await burgee(['plan', '-f', 'all.json', '-q'], folder)).toMatchObject({ code: 0, err: '' })
  })
})

describe('flags', () => {
  test('a server key needs no --env: it has one environment', async () => {
    const env = { BURGEE_URL: server.url, BURGEE_TOKEN: server.sdkKey }
    const listed = await run(['flags', 'list', '-o', 'json'], { env })
    expect(listed.code).toBe(0)
    expect(JSON.parse(listed.out).map(({ key }: { key: string }) => key)).toEqual(['guarded'])
  })

  test('are created, listed, switched, rolled out, promoted and archived', async () => {
    const flags = (...args: string[]) => burgee(['flags', ...args, '--env', 'development'])
    expect((await flags('create', 'banner', '--type', 'string', '--value', '"hi"')).code).toBe(0)
    expect((await flags('create', 'banner')).code).toBe(1)
    expect(await flags('enable', 'banner')).toMatchObject({ code: 0, out: 'banner is on.\n' })
    const rolledOut = await flags('rollout', 'banner', '12.5')
    expect(rolledOut).toMatchObject({ code: 0, out: 'banner is on, rollout 12.5%.\n' })
    expect((await flags('rollout', 'banner', '120')).code).toBe(2)
    expect((await flags('list')).out).toMatch(/^banner +string +on +12\.5%/m)
    const promote = ['promote', 'banner', '--from', 'development', '--to', 'staging']
    expect((await burgee(promote)).code).toBe(0)
    expect(await flagOf('banner')).toMatchObject({ default_value: 'hi', rollout_thousandths: 12_500 })
    expect((await flags('archive', 'banner')).code).toBe(0)
    expect((await flags('list')).out).not.toContain('banner')
    expect((await flags('list', '--archived')).out).toContain('banner')
    expect((await flags('disable', 'banner')).out).toContain('It is archived')
  })

  test('are changed with the warnings of the server', async () => {
    const folder = fileOf(
      'flags: [{ key: warned, rules: [{ segment_key: staging-only }] }]\nsegments: [{ key: staging-only, name: S }]\n',
    )
    expect((await burgee(['apply', '-f', 'flags.yaml'], folder)).code).toBe(0)
    const switched = await burgee(['flags', 'enable', 'warned', '--env', 'staging'])
    expect(switched.out).toMatch(/^warned is on\.\n {2}warning: Files of .+ manage this flag/)
    const promoted = await burgee(['promote', 'warned', '--from', 'staging', '--to', 'development'])
    expect(promoted.out).toMatch(/\n {2}warning: There is no segment "staging-only"/)
  })
})
