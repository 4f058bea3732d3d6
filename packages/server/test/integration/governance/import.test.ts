import { readFileSync } from 'node:fs'
import { IMPORT_REQUESTS, IMPORT_SYSTEMS } from '@burgee/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dumpDatabase } from '../../harness/dump-database.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let server: TestServer
let path: string

beforeAll(async () => {
  server = await startTestServer()
  path = `/api/projects/${server.project.id}/import`
})
afterAll(() => server.close())

const SAMPLES = new URL('../../../../importers/test/samples/', import.meta.url)
const sample = (name: string) => ({
  name: name.slice(name.indexOf('/') + 1),
  content: readFileSync(new URL(name, SAMPLES), 'utf8'),
})

const send = (system: string, files: readonly unknown[], rest: object = {}) =>
  server.call({ path, body: { system, files, ...rest } })

const file = (name: string, content: unknown) => ({
  name,
  content: typeof content === 'string' ? content : JSON.stringify(content),
})

const FLAG = { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'on' }

describe('the files of each service', () => {
  it.each([
    ['launchdarkly', ['launchdarkly/rest-flags.json', 'launchdarkly/rest-segments.json']],
    ['launchdarkly', ['launchdarkly/sdk-data.json']],
    ['unleash', ['unleash/client-features.json']],
    ['unleash', ['unleash/export.json']],
    ['unleash', ['unleash/state-v2.json']],
    ['flagd', ['flagd/example_flags.flagd.json']],
    ['flagd', ['flagd/custom-ops.json']],
    ['flagsmith', ['flagsmith/environment.json']],
    ['goff', ['go-feature-flag/flag-config.yaml', 'go-feature-flag/demo-flags.goff.yaml']],
    ['goff', ['go-feature-flag/progressive.goff.yaml']],
    ['configcat', ['configcat/config_v6-list.json']],
    ['configcat', ['configcat/config_v6-comparisons.json']],
  ] as const)('%s: %j becomes a report, and flags that can be applied', async (system, names) => {
    const { body, status } = await send(system, names.map(sample), { dry_run: true })
    expect(status).toBe(200)
    expect(body).toMatchObject({ system, dry_run: true })
    expect(body.flags.length).toBeGreaterThan(0)
    const [{ environment: first }] = body.environments
    for (const { environment, flags, segments } of body.environments) {
      const written = body.flags.filter(
        (flag: { environment: string; class: string }) =>
          flag.environment === environment && flag.class !== 'skipped',
      )
      expect(flags).toHaveLength(written.length)
      if (environment !== first) continue
      const apply = `/api/environments/${server.environments.staging}/apply`
      const plan = await server.call({ path: apply, body: { name: system, flags, segments, dry_run: true } })
      expect(plan.body.error).toBeUndefined()
      expect(plan.status).toBe(200)
    }
  })

  it('are read in the format of their ending, or of their content', async () => {
    const toml = '[new]\ndefaultRule = { variation = "on" }\n[new.variations]\non = true\noff = false\n'
    const yaml = 'new:\n  variations: { on: true, off: false }\n  defaultRule: { variation: on }\n'
    const json = { new: { variations: { on: true, off: false }, defaultRule: { variation: 'on' } } }
    const of = async (one: object) => (await send('goff', [one])).body.environments
    const expected = await of(file('flags.json', json))
    expect(expected[0].flags[0]).toMatchObject({ key: 'new', default_value: true })
    for (const name of ['flags.toml', 'flags', 'flags.TOML'])
      expect(await of(file(name, toml))).toEqual(expected)
    for (const name of ['flags.yaml', 'flags.yml', 'flags.goff'])
      expect(await of(file(name, yaml))).toEqual(expected)
    expect(await of(file('flags', `\uFEFF${JSON.stringify(json)}`))).toEqual(expected)
  })

  it('are translated for the named environment and attributes, and nothing is stored', async () => {
    const before = (await dumpDatabase(server.database.pool)).tables.filter(({ place }) =>
      /flag|audit/.test(place),
    )
    const targeting = { if: [{ '==': [{ var: 'email' }, 'a'] }, 'on', 'off'] }
    const { body } = await send('flagd', [file('a.json', { flags: { 'my flag': { ...FLAG, targeting } } })], {
      environment: 'live',
      attributes: { email: 'user_email' },
    })
    expect(body).toMatchObject({
      flags: [{ key: 'my flag', environment: 'live', class: 'exact', notes: [{ code: 'key_changed' }] }],
      environments: [{ environment: 'live', segments: [], flags: [{ key: 'my-flag' }] }],
      aliases: { 'my flag': 'my-flag' },
    })
    expect(JSON.stringify(body.environments)).toContain('user_email')
    const after = (await dumpDatabase(server.database.pool)).tables.filter(({ place }) =>
      /flag|audit/.test(place),
    )
    expect(after).toEqual(before)
  })
})

describe('a part of a longer list', () => {
  const page = {
    items: [
      {
        ...{ key: 'menu', kind: 'boolean', variations: [{ value: true }, { value: false }] },
        environments: { production: { on: true, fallthrough: { variation: 0 }, offVariation: 1 } },
      },
    ],
    ...{ totalCount: 250, _links: { next: { href: '/api/v2/flags/shop?offset=100' } } },
  }

  it('is refused with the number that is missing and the requests for the whole', async () => {
    const { body, status } = await send('launchdarkly', [file('flags.json', page)])
    expect(status).toBe(422)
    expect(body.error).toContain('1 of 250 flags of production: 249 are missing')
    expect(body.error).toContain(IMPORT_REQUESTS.launchdarkly.command)
  })

  it('is read on request, with a note', async () => {
    const { body, status } = await send('launchdarkly', [file('flags.json', page)], { partial: true })
    expect(status).toBe(200)
    expect(body).toMatchObject({ flags: [{ key: 'menu', class: 'exact' }], notes: [{ code: 'partial' }] })
    expect((await send('launchdarkly', [file('flags.json', page)], { partial: 'yes' })).status).toBe(422)
  })
})

describe('a file that cannot be read', () => {
  const refused = async (system: string, files: readonly unknown[]) => {
    const { body, status } = await send(system, files)
    expect(status).toBe(422)
    return body.error as string
  }

  it('is refused with its name and what is wrong', async () => {
    for (const system of IMPORT_SYSTEMS) await refused(system, [file('a.json', { nothing: 'here' })])
    expect(await refused('flagd', [file('a.json', '{"flags":')])).toContain('a.json is not JSON')
    expect(await refused('goff', [file('a.yaml', 'a: [1')])).toContain('a.yaml is not YAML')
    expect(await refused('goff', [file('a.toml', 'a = [')])).toContain('a.toml is not TOML')
    await refused('nowhere', [file('a.json', {})])
    await refused('flagd', [])
    await refused(
      'flagd',
      Array.from({ length: 51 }, () => file('a.json', {})),
    )
  })
})
