import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { validateManifest } from '../../../../e2e/openfeature/validate-manifest.ts'
import { run, temporaryFolder } from '../harness/run.ts'
import { type CommandServer, startCommandServer } from '../harness/start-command-server.ts'
import { createPrograms, expectCompiled } from '../harness/typed-programs.ts'

const FLAGS = [
  { key: 'new-checkout' },
  { key: 'theme', flag_type: 'string', default_value: 'light', disabled_value: 'dark' },
  { key: 'seats', flag_type: 'integer', default_value: 5 },
  { key: 'old' },
]

let server: CommandServer
let folder: string

beforeAll(async () => {
  server = await startCommandServer()
  const environment = `/api/environments/${server.environments.production}`
  const body = { flags: FLAGS.map((flag) => ({ is_enabled: true, ...flag })) }
  expect((await server.call({ path: `${environment}/apply`, body })).status).toBe(200)
  await server.call({ path: `${environment}/flags/old/archive`, method: 'POST' })
  folder = createPrograms()
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await server.close()
})

const burgee = (...args: string[]) =>
  run(['--env', 'production', ...args], { env: { BURGEE_URL: server.url, BURGEE_TOKEN: server.sdkKey } })

describe('burgee generate', () => {
  test('writes three files that depend on the flags alone', async () => {
    const out = temporaryFolder()
    const first = await burgee('generate', '--out', out)
    expect(first).toMatchObject({ code: 0, err: '' })
    expect(validateManifest(JSON.parse(readFileSync(join(out, 'flags.json'), 'utf8')))).toEqual([])
    const types = readFileSync(join(out, 'burgee.gen.ts'), 'utf8')
    expect(types).toContain('@deprecated Archived')
    const path = `/api/environments/${server.environments.production}/types.ts`
    const authorization = `Bearer ${server.sdkKey}`
    const served = await fetch(server.url + path, { headers: { authorization } })
    expect(types).toBe(await served.text())

    expect((await burgee('generate', '--out', out)).out).toContain('burgee.gen.ts: up to date')
    expect((await burgee('generate', '--out', out, '--check')).code).toBe(0)
    // As git on Windows checks files out.
    for (const name of ['burgee.gen.ts', 'openfeature.gen.d.ts', 'flags.json'])
      writeFileSync(join(out, name), readFileSync(join(out, name), 'utf8').replaceAll('\n', '\r\n'))
    expect((await burgee('generate', '--out', out, '--check')).code).toBe(0)
    expect(await burgee('generate', '--out', out, '--check', '--strict')).toMatchObject({
      code: 3,
      out: expect.stringContaining('burgee.gen.ts: is not up to date'),
    })
  })
})

describe('a program with the generated types', () => {
  test('compiles where it is right with TypeScript 7, and not where it is wrong', async () => {
    expect((await burgee('generate', '--out', folder, '--strict')).code).toBe(0)
    expectCompiled('TypeScript 7', folder)
  })
})

describe('burgee usages', () => {
  test('finds keys in the files that git tracks, and fails on unknown ones where it should', async () => {
    const repository = temporaryFolder()
    const git = (...args: string[]) => execFileSync('git', ['-C', repository, ...args])
    git('init', '-q')
    mkdirSync(join(repository, 'src'))
    writeFileSync(join(repository, 'src/a.ts'), "if (isEnabled('new-checkout')) use('theme')\n")
    writeFileSync(join(repository, 'src/untracked.ts'), "isEnabled('seats')\n")
    writeFileSync(join(repository, 'image.png'), "\0'theme'")
    git('add', 'src/a.ts', 'image.png')
    const json = async (...args: string[]) =>
      JSON.parse((await burgee('-o', 'json', 'usages', repository, ...args)).out)

    expect(await json()).toMatchObject({
      references: [
        { flag_key: 'new-checkout', path: 'src/a.ts', line: 1 },
        { flag_key: 'theme', path: 'src/a.ts', line: 1 },
      ],
      unknown: [],
      unused: ['old', 'seats'],
      skipped: [{ file: 'image.png', because: 'binary' }],
    })
    expect((await burgee('usages', repository, '--fail-on-unknown')).code).toBe(0)

    writeFileSync(join(repository, 'b.py'), "client.get_boolean_value('chekout', False)\nis_enabled('old')\n")
    git('add', 'b.py')
    const found = await burgee('usages', repository, '--fail-on-unknown')
    expect(found.code).toBe(3)
    expect(found.out).toMatch(/chekout +unknown +b\.py:1/)
    expect(found.out).toMatch(/old +archived +b\.py:2/)
    expect((await burgee('usages', repository, '--fail-on-unknown', '--exclude', '*.py')).code).toBe(0)
    expect(await burgee('usages', temporaryFolder())).toMatchObject({
      code: 2,
      err: expect.stringContaining('cannot be listed'),
    })
  })
})

describe('burgee stale', () => {
  test('names the evidence, and the plan for one flag with the places that usages has sent', async () => {
    const asAdmin = (...args: string[]) => server.burgee(args)
    const repository = temporaryFolder()
    const git = (...args: string[]) => execFileSync('git', ['-C', repository, ...args])
    git('init', '-q')
    writeFileSync(join(repository, 'a.ts'), "isEnabled('new-checkout')\n")
    git('add', 'a.ts')
    const options = ['--upload', '--repo', 'shop', '--commit', 'c1', '--branch', 'main']
    expect(await asAdmin('usages', repository, ...options)).toMatchObject({
      code: 0,
      err: expect.stringContaining('1 reference of shop is stored'),
    })
    const plan = await asAdmin('stale', 'new-checkout')
    expect(plan).toMatchObject({ code: 0, out: expect.stringContaining('shop a.ts:1') })
    expect(plan.out).toContain('every user gets true')
    const all = await asAdmin('stale', '--verdict', 'ask', '-o', 'json')
    expect(all.err).toMatch(/^Evaluations as of \d{4}-\S+Z( \(.*--fresh computes them again\))?\.$/m)
    expect(JSON.parse(all.out).map(({ flag_key }: { flag_key: string }) => flag_key)).toContain(
      'new-checkout',
    )
    expect((await asAdmin('stale', '--exit-code')).code).toBe(0)
    for (const days of ['0', '366']) expect((await asAdmin('stale', '--days', days)).code).toBe(2)
    const fresh = await asAdmin('stale', '--fresh', '-o', 'json')
    const timeOf = ({ err }: { readonly err: string }) => Date.parse(/as of (\S+Z)/.exec(err)?.[1] ?? '')
    expect(timeOf(fresh)).toBeGreaterThan(timeOf(all))
  })
})
