import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, startTestServer, type TestServer } from '../../harness/start-test-server.ts'
import { stateOf } from '../../harness/state-of.ts'

let server: TestServer
let environment: string

beforeAll(async () => {
  server = await startTestServer()
  environment = `/api/environments/${server.environments.production}`
})
afterAll(() => server.close())

const put = (key: string, more: object = {}): Promise<Answer> =>
  server.call({ path: `${environment}/flags`, body: { key, is_enabled: true, ...more } })
const patch = (key: string, body: object): Promise<Answer> =>
  server.call({ method: 'PATCH', path: `${environment}/flags/${key}`, body })
const get = (key: string): Promise<Answer> => server.call({ path: `${environment}/flags/${key}` })
const putSegment = (key: string, more: object = {}): Promise<Answer> =>
  server.call({ path: `${environment}/segments`, body: { key, name: key, ...more } })

/** The flag as SDKs receive it. */
async function sent(key: string): Promise<Record<string, unknown> | undefined> {
  const { body } = await server.call({ path: '/flags/snapshot', as: { bearer: server.sdkKey } })
  return body.find((flag: { key: string }) => flag.key === key)
}

/** A flag with every field that is absent unless it is set, and what they must be in answers. */
const EVERYTHING = {
  flag_type: 'json',
  default_value: { color: 'red' },
  rollout_thousandths: 12_500,
  bucket_by: 'company_id',
  rollout_salt: 'spring:',
  variant_salt: 'autumn:',
  hash: 'launchdarkly',
  variant_names: { red: { color: 'red' }, none: null },
  metadata: { team: 'web', tier: 2, beta: true },
  value_schema: { type: 'object', properties: { color: { type: 'string', pattern: '^[a-z]+$' } } },
  lifetime: 'permanent',
  expires_at: '2030-01-02T03:04:05.000Z',
  managed_by: 'shop-team',
  links: [{ title: 'Ticket 1', url: 'https://tracker.example.com/1' }],
  client_visible: false,
}
const CONTROL_PLANE = ['value_schema', 'lifetime', 'expires_at', 'managed_by', 'links', 'client_visible']

describe('fields of a flag that are absent unless they are set', () => {
  it('they are stored, read, listed, promoted, compared and restored', async () => {
    const created = await put('everything', EVERYTHING)
    expect(created.status).toBe(200)
    expect(created.body).toMatchObject({ ...EVERYTHING, rollout_percentage: 12 })
    expect((await get('everything')).body).toMatchObject(EVERYTHING)
    const listed = await server.call({ path: `${environment}/flags?q=everything` })
    expect(listed.body[0]).toMatchObject(EVERYTHING)
    expect(listed.body[0].updated_by).toBe('ada@example.com')

    const target_env_id = server.environments.staging
    const promoted = await server.call({
      path: `${environment}/flags/everything/promote`,
      body: { target_env_id },
    })
    expect(promoted.body).toMatchObject(EVERYTHING)

    expect((await patch('everything', { bucket_by: null, metadata: null })).body).not.toHaveProperty(
      'bucket_by',
    )
    const query = `source=${server.environments.production}&target=${target_env_id}`
    const compared = await server.call({ path: `/api/projects/${server.project.id}/compare?${query}` })
    const { changes } = compared.body.flags.find(({ key }: { key: string }) => key === 'everything')
    expect(changes.map(({ path }: { path: string }) => path).sort()).toEqual(['/bucket_by', '/metadata'])

    const { revision } = created.body
    const restored = await server.call({
      path: `${environment}/flags/everything/restore`,
      body: { revision },
    })
    expect(restored.body).toMatchObject(EVERYTHING)
  })

  it('SDKs receive those that evaluation reads, with what they require', async () => {
    await put('wire', EVERYTHING)
    const flag = await sent('wire')
    expect(flag).toMatchObject({ bucket_by: 'company_id', metadata: { team: 'web' } })
    expect(flag?.requires).toEqual(['bucket_by', 'hash:launchdarkly', 'salt', 'thousandths'])
    for (const field of CONTROL_PLANE) expect(flag).not.toHaveProperty(field)
  })

  it('a flag without them is what it was, in answers and for SDKs', async () => {
    const { body } = await put(
      'plain',
      Object.fromEntries(Object.keys(EVERYTHING).map((name) => [name, null])),
    )
    const always = [
      'archived_at',
      'default_value',
      'description',
      'disabled_value',
      'flag_type',
      'is_enabled',
      'key',
    ]
    const lists = [
      'owner_email',
      'prerequisites',
      'revision',
      'rollout_percentage',
      'rules',
      'tags',
      'variants',
    ]
    // `flag_type: null` is refused, so that the flag is sent again without it.
    expect(body.error).toBeDefined()
    expect(Object.keys(stateOf((await put('plain')).body)).sort()).toEqual([...always, ...lists])
    expect(Object.keys((await sent('plain')) ?? {}).sort()).toEqual([...always, ...lists])
  })

  it('the default of a field unsets it', async () => {
    const defaults = {
      hash: 'murmur3',
      lifetime: 'temporary',
      client_visible: true,
      links: [],
      metadata: {},
      variant_names: {},
    }
    const { body } = await put('defaults', defaults)
    for (const field of Object.keys(defaults)) expect(body).not.toHaveProperty(field)
  })

  it('a merge patch changes single entries of metadata and names', async () => {
    await put('merged', { metadata: { a: 1, b: 2 }, flag_type: 'string', variant_names: { x: 'one' } })
    const { body } = await patch('merged', { metadata: { a: null, c: 3 }, variant_names: { y: 'two' } })
    expect(body.metadata).toEqual({ b: 2, c: 3 })
    expect(body.variant_names).toEqual({ x: 'one', y: 'two' })
  })
})

describe('the rollout in thousandths of a percent', () => {
  it('the percentage follows the thousandths, and clears them when it is set alone', async () => {
    await put('fine', { rollout_thousandths: 33_333 })
    expect((await get('fine')).body).toMatchObject({ rollout_percentage: 33, rollout_thousandths: 33_333 })
    expect((await patch('fine', { rollout_thousandths: 500 })).body).toMatchObject({ rollout_percentage: 0 })
    const whole = (await patch('fine', { rollout_percentage: 40 })).body
    expect(whole.rollout_percentage).toBe(40)
    expect(whole).not.toHaveProperty('rollout_thousandths')
  })

  it('null keeps the percentage', async () => {
    await put('kept', { rollout_thousandths: 25_500 })
    const { body } = await patch('kept', { rollout_thousandths: null })
    expect(body.rollout_percentage).toBe(25)
    expect(body).not.toHaveProperty('rollout_thousandths')
  })

  it('both in one write must agree, on flags and on rules', async () => {
    expect((await put('both', { rollout_percentage: 12, rollout_thousandths: 12_999 })).status).toBe(200)
    const onFlag = await patch('both', { rollout_percentage: 13, rollout_thousandths: 12_999 })
    expect(onFlag.status).toBe(422)
    expect(onFlag.body.details[0].path).toBe('/rollout_thousandths')
    const rule = { attribute: 'a', operator: 'is_set', rollout_percentage: 1, rollout_thousandths: 900 }
    const onRule = await patch('both', { rules: [rule] })
    expect(onRule.body.details[0].path).toBe('/rules/0/rollout_thousandths')
  })
})

const RULE = { attribute: 'plan', operator: 'equals', values: ['pro'] }

describe('further fields of rules', () => {
  it('they are stored and sent, and their defaults are left out', async () => {
    const rule = {
      ...RULE,
      rollout_thousandths: 1_500,
      bucket_by: 'company_id',
      rollout_salt: '',
      hash: 'growthbook_2',
      description: 'The companies that asked first',
      off: true,
    }
    const unset = {
      ...RULE,
      off: false,
      variants: [],
      hash: 'murmur3',
      description: null,
      rollout_percentage: null,
    }
    const { body } = await put('rules', { rules: [rule, unset] })
    expect(body.rules).toEqual([{ ...rule, rollout_percentage: 1 }, RULE])
    const flag = await sent('rules')
    expect(flag?.rules).toEqual([{ ...rule, rollout_percentage: 1 }, RULE])
    expect(flag?.requires).toEqual([
      'bucket_by',
      'hash:growthbook_2',
      'off',
      'rule_rollout',
      'salt',
      'thousandths',
    ])
  })

  it('operators that read no values need none', async () => {
    const rules = [
      { attribute: 'plan', operator: 'is_set', conditions: [{ attribute: 'x', operator: 'is_not_set' }] },
    ]
    const { body } = await put('presence', { rules })
    expect(body.rules).toEqual([
      {
        attribute: 'plan',
        operator: 'is_set',
        values: [],
        conditions: [{ attribute: 'x', operator: 'is_not_set', values: [] }],
      },
    ])
  })

  it.each([
    [
      'variants beside a variant',
      { ...RULE, variant: 'a', variants: [{ weight: 1, value: 'b' }] },
      '/rules/0/variants',
    ],
    ['off beside a variant', { ...RULE, off: true, variant: 'a' }, '/rules/0/off'],
    ['off beside variants', { ...RULE, off: true, variants: [{ weight: 1, value: 'b' }] }, '/rules/0/off'],
    ['weights of nothing', { ...RULE, variants: [{ weight: 0, value: 'b' }] }, '/rules/0/variants'],
    [
      'a value of another type',
      { ...RULE, variants: [{ weight: 1, value: 5 }] },
      '/rules/0/variants/0/value',
    ],
    [
      'a pattern with an open group',
      { attribute: 'a', operator: 'matches', values: ['ok', '(x'] },
      '/rules/0/values/1',
    ],
    [
      'a back reference',
      { attribute: 'a', operator: 'not_matches', values: ['(a)\\1'] },
      '/rules/0/values/0',
    ],
    [
      'patterns that are too large together',
      { attribute: 'a', operator: 'matches', values: Array.from({ length: 2_000 }, (_, n) => `a{990}${n}`) },
      '/rules/0/values/5',
    ],
    [
      'a pattern in a condition',
      { ...RULE, conditions: [{ attribute: 'a', operator: 'matches', values: ['['] }] },
      '/rules/0/conditions/0/values/0',
    ],
    [
      'a condition without values',
      { ...RULE, conditions: [{ attribute: 'a', operator: 'equals' }] },
      '/rules/0/conditions/0/values',
    ],
    [
      'a condition without an attribute',
      { ...RULE, conditions: [{ operator: 'is_set' }] },
      '/rules/0/conditions/0/attribute',
    ],
    [
      'a segment condition without a segment',
      { ...RULE, conditions: [{ operator: 'in_segment' }] },
      '/rules/0/conditions/0/segment_key',
    ],
    [
      'a segment with the operator of an attribute',
      { ...RULE, conditions: [{ segment_key: 's', operator: 'equals', values: ['x'] }] },
      '/rules/0/conditions/0/operator',
    ],
  ])('refused: %s', async (_title, rule, path) => {
    const { body, status } = await put('refused', { flag_type: 'string', rules: [rule] })
    expect(status).toBe(422)
    expect(body.details.map((detail: { path: string }) => detail.path)).toContain(path)
  })

  it('variants on a rule of a boolean flag are refused', async () => {
    const { body } = await put('boolean', { rules: [{ ...RULE, variants: [{ weight: 1, value: true }] }] })
    expect(body.details[0].path).toBe('/rules/0/variants')
  })

  it('values that an ordering operator cannot read are warned of', async () => {
    const test = (operator: string, value: string) => ({ attribute: 'v', operator, values: [value] })
    const rules = [
      test('semver_less_than', '1.2-beta'),
      test('not_before', 'soon'),
      test('not_less_than', 'ten'),
    ]
    const { body } = await put('ordered', { rules })
    expect(body.warnings.map(({ code, path }: { code: string; path: string }) => `${code} ${path}`)).toEqual([
      'not_a_version /rules/0/values/0',
      'not_a_time /rules/1/values/0',
      'not_a_number /rules/2/values/0',
    ])
  })
})

describe('references to segments in conditions, and keys of segments', () => {
  it('SDKs receive the rules and keys in their place, and follow changes of the segment', async () => {
    const created = await putSegment('staff', {
      rules: [RULE],
      included_keys: ['ann', 'ann', 'bob'],
      excluded_keys: ['eve'],
    })
    expect(created.body).toMatchObject({ included_keys: ['ann', 'bob'], excluded_keys: ['eve'] })
    const rules = [
      {
        attribute: 'country',
        operator: 'is_set',
        conditions: [{ segment_key: 'staff', operator: 'not_in_segment' }],
      },
    ]
    await put('not-staff', { rules })
    const before = await sent('not-staff')
    expect(before?.requires).toEqual(['user_key'])
    expect(JSON.stringify(before?.rules)).not.toContain('segment')

    const path = `${environment}/segments/staff`
    const cleared = await server.call({
      method: 'PATCH',
      path,
      body: { key: 'team', included_keys: null, excluded_keys: [] },
    })
    expect(cleared.body).not.toHaveProperty('included_keys')
    expect((await get('not-staff')).body.rules[0].conditions[0].segment_key).toBe('team')
    const after = await sent('not-staff')
    expect(after).not.toHaveProperty('requires')
    expect(after?.rules).toEqual([
      {
        attribute: 'country',
        operator: 'is_set',
        values: [],
        conditions: [{ attribute: 'plan', operator: 'not_in', values: ['pro'] }],
      },
    ])
  })

  it('a head may turn a segment around, and keeps no operator otherwise', async () => {
    await putSegment('free', { rules: [RULE] })
    const rules = [
      { segment_key: 'free', operator: 'not_in_segment' },
      { segment_key: 'free', operator: 'in_segment' },
    ]
    const { body } = await put('heads', { rules })
    expect(body.rules).toEqual([{ segment_key: 'free', operator: 'not_in_segment' }, { segment_key: 'free' }])
    expect((await sent('heads'))?.rules).toEqual([{ ...RULE, operator: 'not_in' }, RULE])
  })

  it('an unknown segment in a condition is warned of', async () => {
    const conditions = [{ segment_key: 'gone', operator: 'not_in_segment' }]
    const { body } = await put('unknown', { rules: [{ ...RULE, conditions }] })
    expect(body.warnings[0]).toMatchObject({
      code: 'unknown_segment',
      path: '/rules/0/conditions/0/segment_key',
    })
    expect((await sent('unknown'))?.rules).toEqual([])
  })

  it('a segment decides who is in it, and nothing else', async () => {
    const { body, status } = await putSegment('shares', { rules: [{ ...RULE, rollout_percentage: 5 }] })
    expect(status).toBe(422)
    expect(body.details[0].path).toBe('/rules/0/rollout_percentage')
  })

  it('more than 10,000 keys are refused', async () => {
    const included_keys = Array.from({ length: 10_001 }, (_, n) => `u${n}`)
    expect((await putSegment('many', { included_keys })).status).toBe(422)
    expect((await putSegment('most', { included_keys: included_keys.slice(1) })).status).toBe(200)
  })
})

describe('limits and the schema of values', () => {
  const entries = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`n${n}`, n]))

  it.each([
    ['a fine rollout above 100%', { rollout_thousandths: 100_001 }, '/rollout_thousandths'],
    ['an unknown hash', { hash: 'md5' }, '/hash'],
    ['a salt of 201 characters', { rollout_salt: 'x'.repeat(201) }, '/rollout_salt'],
    ['51 entries of metadata', { metadata: entries(51) }, '/metadata'],
    ['metadata of 4 KiB', { metadata: { a: 'x'.repeat(4_096) } }, '/metadata'],
    ['a list in metadata', { metadata: { a: [] } }, '/metadata/a'],
    ['101 names', { flag_type: 'integer', variant_names: entries(101) }, '/variant_names'],
    ['a name of another type', { flag_type: 'string', variant_names: { a: 5 } }, '/variant_names/a'],
    ['a link that is no address', { links: [{ title: 'x', url: 'javascript:alert(1)' }] }, '/links/0/url'],
    ['a schema on a boolean flag', { value_schema: {} }, '/value_schema'],
  ])('refused: %s', async (_title, more, path) => {
    const { body, status } = await put('limits', more)
    expect(status).toBe(422)
    expect(body.details[0].path).toBe(path)
  })

  it('metadata that grows beyond its bounds by patches is refused', async () => {
    await put('growing', { metadata: entries(40) })
    const more = Object.fromEntries(Object.entries(entries(20)).map(([name, value]) => [`m${name}`, value]))
    expect((await patch('growing', { metadata: more })).status).toBe(422)
  })

  const schemaOf = (value_schema: unknown, more: object = {}) =>
    put('schema', { flag_type: 'json', value_schema, ...more })

  it('a value that a pattern of the schema does not match is refused with the pattern', async () => {
    const { body } = await schemaOf({ type: 'string', pattern: '^[a-z]+$' }, { default_value: 'A' })
    expect(body.error).toBe(
      '/default_value is not what value_schema allows: it must match pattern "^[a-z]+$".',
    )
  })

  it.each([
    ['a value that does not fit', { type: 'number' }, { default_value: 'x' }, '/default_value'],
    [
      'a place inside a value',
      { properties: { a: { items: { type: 'number' } } } },
      { default_value: { a: [1, 'x'] } },
      '/default_value/a/1',
    ],
    ['a rule', { type: 'number' }, { rules: [{ ...RULE, variant: 'x' }] }, '/rules/0/variant'],
    ['a weighted value', { minimum: 5 }, { variants: [{ weight: 1, value: 4 }] }, '/variants/0/value'],
    [
      'a value after references within the schema',
      { $defs: { a: { type: 'number' } }, $ref: '#/$defs/a' },
      { default_value: 'x' },
      '/default_value',
    ],
    ['a pattern', { pattern: '^(a+)+$' }, { default_value: `${'a'.repeat(40)}!` }, '/default_value'],
    ['an unknown type', { type: 'text' }, {}, '/value_schema/type'],
    ['a schema that is no object', 5, {}, '/value_schema'],
    ['a reference to elsewhere', { $ref: 'https://example.com/schema' }, {}, '/value_schema/$ref'],
    [
      'a pattern with a back reference',
      { properties: { a: { pattern: '(x)\\1' } } },
      {},
      '/value_schema/properties/a/pattern',
    ],
    [
      'a field whose name a pattern matches',
      { patternProperties: { '^a': { type: 'number' } }, additionalProperties: false },
      { default_value: { a: 1, ab: 'x' } },
      '/default_value/ab',
    ],
    ['a reference to nothing', { items: { $ref: '#/$defs/a' } }, {}, '/value_schema/items/$ref'],
    ['$dynamicRef', { $dynamicRef: '#a' }, {}, '/value_schema/$dynamicRef'],
    [
      '21 levels',
      Array.from({ length: 21 }).reduce<unknown>((inner) => ({ items: inner }), {}),
      {},
      `/value_schema${'/items'.repeat(20)}`,
    ],
    ['64 KiB', { description: 'x'.repeat(64 * 1024) }, {}, '/value_schema'],
    ['a reference without an end', { $ref: '#' }, { default_value: 1 }, '/value_schema'],
    [
      'references that multiply',
      {
        $defs: Object.fromEntries(
          Array.from({ length: 30 }, (_, n) => [
            `d${n}`,
            n === 29
              ? { type: 'number' }
              : { allOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] },
          ]),
        ),
        $ref: '#/$defs/d0',
      },
      { default_value: 1 },
      '/value_schema',
    ],
  ])('the schema refuses: %s', async (_title, schema, more, path) => {
    const { body, status } = await schemaOf(schema, more)
    expect(status).toBe(422)
    expect(body.details[0].path).toBe(path)
  })

  it('patterns that take too long on the values together are refused', async () => {
    const not = Array.from({ length: 20 }, (_, n) => ({ not: { pattern: `(?:[ab]?){450}x${n}` } }))
    const default_value = Array.from({ length: 30 }, () => 'ab'.repeat(250))
    const { body, status } = await schemaOf({ items: { allOf: not } }, { default_value })
    expect(status).toBe(422)
    expect(body.details[0].path).toBe('/value_schema')
  })

  it('a patch replaces a schema as a whole', async () => {
    await put('replaced', { flag_type: 'json', value_schema: { type: 'object', required: ['a'] } })
    const { body } = await patch('replaced', { value_schema: { type: 'array' } })
    expect(body.value_schema).toEqual({ type: 'array' })
    expect((await patch('replaced', { value_schema: null })).body).not.toHaveProperty('value_schema')
  })

  it('null and values that fit are accepted', async () => {
    const schema = {
      type: 'object',
      required: ['a'],
      properties: { a: { enum: [1, 2] } },
      unevaluatedProperties: false,
    }
    expect((await schemaOf(schema, { default_value: { a: 1 }, disabled_value: null })).status).toBe(200)
    expect((await schemaOf(schema, { default_value: { a: 1, b: 2 } })).status).toBe(422)
    expect((await schemaOf(false, { default_value: null })).status).toBe(200)
  })
})
