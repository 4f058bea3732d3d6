import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readReachedSegments } from '../../../src/targeting/segment-rows/queries.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let server: TestServer
let environment: string

beforeAll(async () => {
  server = await startTestServer()
  environment = `/api/environments/${server.environments.production}`
})
afterAll(() => server.close())

type Needed = string | { readonly flag_key: string; readonly required_value?: unknown }

/** Writes the flag and returns the warnings of the response. */
async function put(key: string, needed: readonly Needed[] = [], more: object = {}, at = environment) {
  const prerequisites = needed.map((of) => (typeof of === 'string' ? { flag_key: of } : of))
  const body = { key, is_enabled: true, prerequisites, ...more }
  const answer = await server.call({ path: `${at}/flags`, body })
  expect(answer.status).toBe(200)
  return (answer.body.warnings ?? []).map(
    ({ code, path }: { code: string; path: string }) => `${code} ${path}`,
  )
}

describe('warnings about prerequisites of a flag', () => {
  it('a prerequisite that does not exist in this environment gets a warning', async () => {
    await put('elsewhere', [], {}, `/api/environments/${server.environments.staging}`)
    expect(await put('needs-elsewhere', ['elsewhere'])).toEqual([
      'unknown_prerequisite /prerequisites/0/flag_key',
    ])
  })

  it('prerequisites get no warning when more names than the bound are reached, most of which do not exist', async () => {
    await put('real-one')
    const ghosts = Array.from({ length: 10_001 }, (_, at) => `ghost-${at}`)
    const warnings = await put('needs-many', [...ghosts, 'real-one'])
    expect(warnings).not.toContain('unknown_prerequisite /prerequisites/10001/flag_key')
    expect(warnings.filter((warning: string) => warning.startsWith('unknown_prerequisite'))).toEqual([])
  })

  it('a prerequisite that leads back to the flag over several others gets a warning, without those', async () => {
    await put('far')
    await put('middle', ['far'])
    await put('near', ['middle'])
    expect(await put('aside', ['near', 'far'])).toEqual([])
    expect(await put('far', ['aside-too', 'near'])).toEqual([
      'unknown_prerequisite /prerequisites/0/flag_key',
      'prerequisite_cycle /prerequisites/1/flag_key',
    ])
  })

  it('a cycle gets no warning any more once a flag of it changed', async () => {
    await put('one')
    await put('two', ['one'])
    expect(await put('one', ['two'])).toEqual(['prerequisite_cycle /prerequisites/0/flag_key'])
    expect(await put('one')).toEqual([])
    expect(await put('two', ['one'])).toEqual([])
  })

  it('a flag as its own prerequisite gets a warning', async () => {
    expect(await put('self', ['self'])).toEqual(['prerequisite_cycle /prerequisites/0/flag_key'])
  })

  it('a prerequisite that leads into a cycle of others gets no warning', async () => {
    await put('ring-a')
    await put('ring-b', ['ring-a'])
    await put('ring-a', ['ring-b'])
    expect(await put('beside', ['ring-a'])).toEqual([])
  })

  it('an archived prerequisite gets a warning', async () => {
    await put('archived')
    const path = `${environment}/flags/archived`
    await server.call({ method: 'PATCH', path, body: { archived_at: '2026-01-01T00:00:00Z' } })
    expect(await put('needs-archived', ['archived'])).toEqual([
      'prerequisite_archived /prerequisites/0/flag_key',
    ])
  })

  it('a required value that the prerequisite cannot have gets a warning, with variants of segments', async () => {
    const rules = [{ attribute: 'a', operator: 'equals', values: ['x'], variant: 'from-segment' }]
    await server.call({ path: `${environment}/segments`, body: { key: 'seg', name: 'Seg', rules } })
    const text = { flag_type: 'string', default_value: 'plain', disabled_value: 'off' }
    await put('valued', [], { ...text, rules: [{ segment_key: 'seg' }] })
    const needing = (required_value: string) => put('needs-value', [{ flag_key: 'valued', required_value }])
    expect(await needing('from-segment')).toEqual([])
    expect(await needing('plain')).toEqual([])
    expect(await needing('never')).toEqual(['required_value_unreachable /prerequisites/0/required_value'])
  })
})

it('a json flag with a number beyond 2^53 is stored with a warning, wherever the number is', async () => {
  const body = `{"key":"long","is_enabled":true,"flag_type":"json","default_value":{"id":9007199254740993},
    "rules":[{"attribute":"plan","operator":"equals","values":["pro"],"variant":{"a":[-12345678901234567890]}}]}`
  const response = await fetch(`${server.url}${environment}/flags`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${server.sdkKey}` },
    body,
  })
  const { default_value, warnings } = (await response.json()) as Record<string, unknown[]>
  expect([response.status, default_value]).toEqual([200, { id: 9007199254740992 }])
  expect(warnings).toMatchObject([
    {
      code: 'unsafe_number',
      path: '/default_value/id',
      message: expect.stringContaining('9007199254740992'),
    },
    { code: 'unsafe_number', path: '/rules/0/variant/a/0' },
  ])
  expect(await put('short', [], { flag_type: 'json', default_value: { id: 9007199254740991 } })).toEqual([])
})

describe('rules that can take too many steps', () => {
  // Values of many lengths, which no set can look up.
  const values = Array.from({ length: 400 }, (_, at) => `value-${at}`.padEnd(8 + (at % 40), 'x'))
  const costly = { attribute: 'groups', operator: 'contains', values }
  const boundWarnings = async (key: string, rules: object[]) => {
    const warnings: string[] = await put(key, [], { rules })
    return warnings.filter((warning) => warning.startsWith('evaluation_bound'))
  }

  it('are warned of with the rule that takes the most', async () => {
    const rules = [
      { attribute: 'groups', operator: 'contains', values: ['a'] },
      { attribute: 'plan', operator: 'equals', values: ['pro'], conditions: [costly] },
    ]
    expect(await boundWarnings('costly', rules)).toEqual(['evaluation_bound /rules/1'])
  })

  it('are warned of where a segment has them', async () => {
    await server.call({
      path: `${environment}/segments`,
      body: { key: 'costly', name: 'Costly', rules: [costly] },
    })
    expect(await boundWarnings('by-segment', [{ segment_key: 'costly' }])).toHaveLength(1)
  })

  it('are not seen in lists of usual values', async () => {
    const usual = Array.from({ length: 5_000 }, (_, at) => `user-${at}`)
    for (const operator of ['equals', 'not_in', 'starts_with', 'ends_with'])
      expect(await boundWarnings('usual', [{ attribute: 'groups', operator, values: usual }])).toEqual([])
    const allowed = usual.slice(0, 1_000)
    expect(
      await boundWarnings('usual', [{ attribute: 'groups', operator: 'contains', values: allowed }]),
    ).toEqual([])
    const pattern = { attribute: 'email', operator: 'matches', values: ['@example\\.(com|org)$'] }
    expect(await boundWarnings('usual', [pattern])).toEqual([])
  })
})

describe('a flag that is read by itself', () => {
  const getFlag = (key: string) => server.call({ path: `${environment}/flags/${key}` })

  it('has the warnings that a write of it would have, so that old mistakes are seen', async () => {
    const rules = [{ attribute: 'age', operator: 'greater_than', values: ['adult'], variant: false }]
    await put('read-again', ['gone'], { is_enabled: false, disabled_value: true, rules })
    const { body, headers } = await getFlag('read-again')
    expect(body.warnings.map(({ code }: { code: string }) => code).sort()).toEqual([
      'boolean_rule_variant',
      'enabled_when_off',
      'not_a_number',
      'unknown_prerequisite',
    ])
    expect(headers.get('etag')).toBe(`"${body.revision}"`)
    const again = await server.call({ path: `${environment}/flags`, body })
    expect(again.status).toBe(200)
    expect(again.body.warnings).toEqual(body.warnings)
  })

  it('has none where there is nothing to say, and none in a list', async () => {
    await put('sound')
    expect((await getFlag('sound')).body).not.toHaveProperty('warnings')
    const { body } = await server.call({ path: `${environment}/flags?q=read-again` })
    expect(body[0]).not.toHaveProperty('warnings')
  })
})

describe('a segment whose variant does not fit a flag', () => {
  const RULE = { attribute: 'plan', operator: 'equals', values: ['pro'] }
  const snapshot = async () => {
    const { body } = await server.call({ path: '/flags/snapshot', as: { bearer: server.sdkKey } })
    return (key: string) => body.find((flag: { key: string }) => flag.key === key)
  }

  it('is warned of by both writes, and the flag serves its default value to whom the rule matches', async () => {
    await server.call({ path: `${environment}/segments`, body: { key: 'vip', name: 'VIP', rules: [RULE] } })
    const text = { flag_type: 'string', default_value: 'plain', disabled_value: 'off' }
    expect(await put('greeting', [], { ...text, rules: [{ segment_key: 'vip' }] })).toEqual([])

    const patched = await server.call({
      method: 'PATCH',
      path: `${environment}/segments/vip`,
      body: { rules: [{ ...RULE, variant: true }] },
    })

    expect(patched.status).toBe(200)
    expect(patched.body.warnings).toEqual([
      {
        code: 'segment_variant_type',
        path: '/rules/0/variant',
        message: expect.stringContaining('"greeting" is of type string'),
      },
    ])
    expect((await snapshot())('greeting').rules).toEqual([RULE])
    const { body } = await server.call({ path: `${environment}/flags/greeting` })
    expect(body.warnings).toMatchObject([{ code: 'segment_variant_type', path: '/rules/0/segment_key' }])
    expect(await put('greeting', [], { ...text, rules: [{ segment_key: 'vip' }] })).toEqual([
      'segment_variant_type /rules/0/segment_key',
    ])
  })

  it('is warned of when it is created after the flag that names it', async () => {
    await put('early', [], { flag_type: 'integer', default_value: 1, rules: [{ segment_key: 'late' }] })
    const { body } = await server.call({
      path: `${environment}/segments`,
      body: { key: 'late', name: 'Late', rules: [{ ...RULE, variant: 'x' }] },
    })
    expect(body.warnings).toMatchObject([{ code: 'segment_variant_type', path: '/rules/0/variant' }])
  })
})

describe('the segments that are read for the warnings of a flag', () => {
  const insert = async (key: string, rules: object[]) => {
    const environment_id = server.environments.production
    const created_at = '2026-01-01T00:00:00Z'
    const row = { id: crypto.randomUUID(), environment_id, key, name: key, created_at }
    await server.database.db
      .insertInto('segments')
      .values({ ...row, rules: JSON.stringify(rules) })
      .execute()
  }
  const text = Array.from({ length: 200_000 }, (_, at) => `a long value with the number ${at}`)
  const LARGE = [{ attribute: 'a', operator: 'equals', values: text }]
  const get = async (key: string) => {
    const { body, status } = await server.call({ path: `${environment}/flags/${key}` })
    expect(status).toBe(200)
    return (body.warnings ?? []).map(({ code }: { code: string }) => code)
  }
  const naming = (...keys: string[]) => ({ rules: keys.map((segment_key) => ({ segment_key })) })

  it('are those that the flag reaches, also through others, however large the rest is', async () => {
    await insert('aside', LARGE)
    await insert('behind', [{ attribute: 'a', operator: 'equals', values: ['x'], variant: 7 }])
    await insert('before', [{ segment_key: 'behind' }])
    await put('small', [], naming('before', 'not-there'))
    expect(await get('small')).toEqual(['unknown_segment', 'segment_variant_type'])
    expect([
      ...((await readReachedSegments(server.database.db, server.environments.production, ['before'])) ?? []),
    ]).toHaveLength(2)
  })

  it('are left out with their warnings when more names than the bound are reached, most of which do not exist', async () => {
    await insert('real', [])
    const parts = ['a', 'b', 'c']
    for (const part of parts) {
      const names = Array.from({ length: 4_000 }, (_, at) => `ghost-${part}-${at}`)
      await put(`names-many-${part}`, [], naming(...names))
    }
    const needed = parts.map((part) => `names-many-${part}`)
    // The names of the prerequisites come first, so that those of the flag itself would be cut off.
    expect(await put('behind-many', needed, naming('real'))).toEqual([])
    expect(await get('behind-many')).toEqual([])
  })

  it('are left out with their warnings when they are too large, also those of a prerequisite', async () => {
    await put('far-large', [], naming('large'))
    await put('near-large', ['far-large', 'missing'], naming('not-there'))
    const before = await get('near-large')
    expect(before).toEqual(['unknown_segment', 'unknown_prerequisite'])
    await insert('large', LARGE)
    expect(await get('near-large')).toEqual(['unknown_prerequisite'])
    expect(await get('far-large')).toEqual([])
  })
})
