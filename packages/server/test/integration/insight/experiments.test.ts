import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addUser } from '../../harness/add-user.ts'
import { type Answer, type As, startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let server: TestServer
let environment_id: string
let path: string
let editor: As
let viewer: As

beforeAll(async () => {
  server = await startTestServer()
  environment_id = server.environments.production
  path = `/api/environments/${environment_id}/experiments`
  const session = async (role: 'editor' | 'viewer') => {
    const memberOf = { [server.project.id]: role }
    return { cookie: (await addUser(server, { email: `${role}@example.com`, memberOf })).cookie }
  }
  editor = await session('editor')
  viewer = await session('viewer')
})
afterAll(() => server.close())

const input = (key: string, more: object = {}) => ({
  name: 'Which colour',
  key,
  flag_key: `flag-${key}`,
  goal_event_key: `goal-${key}`,
  ...more,
})
const create = (key: string, more: object = {}, as: As = 'admin'): Promise<Answer> =>
  server.call({ path, body: input(key, more), as })
const change = (key: string, body: unknown, as: As = 'admin'): Promise<Answer> =>
  server.call({ method: 'PATCH', path: `${path}/${key}`, body, as })
const read = (key: string): Promise<Answer> => server.call({ path: `${path}/${key}` })
const readResults = (key: string): Promise<Answer> => server.call({ path: `${path}/${key}/results` })

describe('the endpoints of experiments', () => {
  it('an experiment is created as running, read and listed', async () => {
    const { body, status } = await create('created', {}, editor)

    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      environment_id,
      key: 'created',
      name: 'Which colour',
      description: null,
      flag_key: 'flag-created',
      goal_event_key: 'goal-created',
      control_variant: null,
      status: 'running',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    })
    expect(await read('created')).toMatchObject({ status: 200, body })
    expect((await server.call({ path, as: viewer })).body).toContainEqual(body)
  })

  it('an experiment keeps description and control variant, and ignores read-only fields', async () => {
    const sent = {
      description: 'Green or blue',
      control_variant: 'blue',
      status: 'completed',
      id: '00000000-0000-4000-8000-000000000000',
      environment_id: server.environments.staging,
      created_at: '2020-01-01T00:00:00Z',
      unknown: 1,
    }
    const { body } = await create('described', sent)
    expect(body).toMatchObject({ description: 'Green or blue', control_variant: 'blue', status: 'running' })
    expect(body).toMatchObject({ environment_id, key: 'described' })
    expect(body.id).not.toBe(sent.id)
    expect(body.created_at).not.toContain('2020')
    expect(body).not.toHaveProperty('unknown')
  })

  it('null for description and control variant of an experiment means absent', async () => {
    const { body } = await create('nulls', { description: null, control_variant: null })
    expect(body).toMatchObject({ description: null, control_variant: null })
  })

  it('experiments are listed by key in code unit order', async () => {
    const other = `/api/environments/${server.environments.staging}/experiments`
    for (const key of ['b', 'a_', 'B', 'a-', '1']) await server.call({ path: other, body: input(key) })
    const { body } = await server.call({ path: other })
    expect(body.map(({ key }: { key: string }) => key)).toEqual(['1', 'B', 'a-', 'a_', 'b'])
  })

  it('experiments of one environment are not in another, where their keys are free', async () => {
    await create('apart')
    const other = `/api/environments/${server.environments.development}/experiments`
    expect((await server.call({ path: `${other}/apart` })).status).toBe(404)
    expect((await server.call({ path: other, body: input('apart') })).status).toBe(200)
  })

  it('an experiment with an existing key is 409, and does not change the first', async () => {
    const first = await create('twice')
    const second = await create('twice', { name: 'Another' })
    expect(second).toMatchObject({ status: 409, body: { error: expect.stringContaining('twice') } })
    expect((await read('twice')).body).toEqual(first.body)
  })

  it('of concurrent experiments with one key one is created, and the others are 409', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => create('race')))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)])
  })

  it.each([
    ['no name', { name: undefined }, '/name'],
    ['an empty name', { name: '' }, '/name'],
    ['a blank name', { name: '  ' }, '/name'],
    ['a name of null', { name: null }, '/name'],
    ['no key', { key: undefined }, '/key'],
    ['an empty key', { key: '' }, '/key'],
    ['a key with a space', { key: 'a b' }, '/key'],
    ['a key with a dot', { key: 'a.b' }, '/key'],
    ['a key that is not ASCII', { key: 'clé' }, '/key'],
    ['a key of 101 characters', { key: 'k'.repeat(101) }, '/key'],
    ['no flag key', { flag_key: undefined }, '/flag_key'],
    ['an empty flag key', { flag_key: '' }, '/flag_key'],
    ['a flag key with a slash', { flag_key: 'a/b' }, '/flag_key'],
    ['a flag key of 101 characters', { flag_key: 'k'.repeat(101) }, '/flag_key'],
    ['no goal', { goal_event_key: undefined }, '/goal_event_key'],
    ['an empty goal', { goal_event_key: '' }, '/goal_event_key'],
    ['a goal with a space', { goal_event_key: 'a b' }, '/goal_event_key'],
    ['a goal of 101 characters', { goal_event_key: 'k'.repeat(101) }, '/goal_event_key'],
    ['a description that is no text', { description: 1 }, '/description'],
    ['a control variant that is no text', { control_variant: true }, '/control_variant'],
  ])('an experiment with %s is 422', async (_case, more, field) => {
    const { body, status } = await create('refused', more)
    expect(status).toBe(422)
    expect(JSON.stringify(body)).toContain(field.slice(1))
    expect((await read('refused')).status).toBe(404)
  })

  it('an experiment may have keys of 100 characters', async () => {
    const long = 'k'.repeat(100)
    expect((await create(long, { flag_key: long, goal_event_key: long })).status).toBe(200)
    expect((await read(long)).status).toBe(200)
  })

  it.each(['running', 'paused', 'completed'])(
    'an experiment changes from any status to %s and further',
    async (status) => {
      const key = `moves-${status}`
      await create(key)
      for (const next of ['completed', 'paused', 'running', status]) {
        expect(await change(key, { status: next }, editor)).toMatchObject({
          status: 200,
          body: { status: next },
        })
      }
    },
  )

  it('an experiment is changed field by field', async () => {
    const { body: before } = await create('changing', { description: 'old', control_variant: 'blue' })
    for (const patch of [
      { name: 'New name' },
      { description: 'new' },
      { goal_event_key: 'other-goal' },
      { control_variant: 'green' },
      { description: null },
      { control_variant: null },
    ]) {
      const stored = (await read('changing')).body
      expect((await change('changing', patch)).body).toEqual({ ...stored, ...patch })
    }
    expect((await read('changing')).body).toMatchObject({ id: before.id, created_at: before.created_at })
  })

  it('a PATCH of an experiment cannot change key, flag and read-only fields', async () => {
    const { body: before } = await create('fixed')
    const sent = { key: 'other', flag_key: 'not a key', id: 1, environment_id: null, created_at: 'x' }
    expect(await change('fixed', sent)).toMatchObject({ status: 200, body: before })
    expect(await change('fixed', {})).toMatchObject({ status: 200, body: before })
  })

  it.each([
    ['an unknown status', { status: 'stopped' }],
    ['a status of null', { status: null }],
    ['an invalid goal', { goal_event_key: 'a b' }],
    ['a goal of null', { goal_event_key: null }],
    ['an empty name', { name: '' }],
    ['a name of null', { name: null }],
    ['a list', []],
  ])('an experiment changed with %s is 422 and unchanged', async (name, patch) => {
    const key = `stays-${name.length}`
    const { body: before } = await create(key)
    expect((await change(key, patch)).status).toBe(422)
    expect((await read(key)).body.status).toBe('running')
    expect((await read(key)).body.name).toBe(before?.name ?? 'Which colour')
  })

  it('an experiment is deleted once', async () => {
    await create('deleted')
    const remove = () => server.call({ method: 'DELETE', path: `${path}/deleted`, as: editor })
    expect((await remove()).status).toBe(204)
    expect((await remove()).status).toBe(404)
    expect((await read('deleted')).status).toBe(404)
    expect((await change('deleted', { name: 'x' })).status).toBe(404)
    expect((await readResults('deleted')).status).toBe(404)
    expect((await create('deleted')).status).toBe(200)
  })

  it('experiments are written by editors and read by viewers', async () => {
    await create('roles')
    expect((await create('roles-2', {}, viewer)).status).toBe(403)
    expect((await change('roles', { name: 'x' }, viewer)).status).toBe(403)
    expect((await server.call({ method: 'DELETE', path: `${path}/roles`, as: viewer })).status).toBe(403)
    expect((await server.call({ path: `${path}/roles/results`, as: viewer })).status).toBe(200)
    expect((await create('roles-3', {}, { bearer: server.sdkKey })).status).toBe(200)
  })

  it('experiments are deleted with their environment', async () => {
    const at = `/api/projects/${server.project.id}/environments`
    const { body } = await server.call({ path: at, body: { name: 'Short', slug: 'short' } })
    await server.call({ path: `/api/environments/${body.id}/experiments`, body: input('gone') })
    expect((await server.call({ method: 'DELETE', path: `${at}/${body.id}` })).status).toBe(204)
    const { db } = server.database
    expect(await db.selectFrom('experiments').select('key').where('key', '=', 'gone').execute()).toEqual([])
  })
})

const T = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString()

/** Reports impressions by user, value and second, then goals by user and second, in this order of arrival. */
async function report(
  key: string,
  seen: readonly (readonly [user: string | null, value: string, second: number])[],
  reached: readonly (readonly [user: string | null, second: number])[] = [],
) {
  await ingest(
    'impressions',
    seen.map(([user_id, value, second]) => ({
      flag_key: `flag-${key}`,
      user_id,
      value,
      evaluated_at: T(second),
    })),
  )
  await ingest(
    'events',
    reached.map(([user_id, second]) => ({ event_key: `goal-${key}`, user_id, occurred_at: T(second) })),
  )
}

async function ingest(kind: 'impressions' | 'events', body: readonly object[]) {
  if (body.length === 0) return
  const answer = await server.call({ path: `/api/environments/${environment_id}/${kind}`, body })
  expect(answer.status).toBe(204)
}

/** Reports so many users of a value, the first of whom convert. */
async function reportMany(
  key: string,
  groups: readonly (readonly [value: string, exposed: number, converted: number])[],
) {
  const users = groups.flatMap(([value, exposed, converted]) =>
    Array.from({ length: exposed }, (_, n) => ({ user: `${value}-${n}`, value, converts: n < converted })),
  )
  await report(
    key,
    users.map(({ user, value }) => [user, value, 0] as const),
    users.filter(({ converts }) => converts).map(({ user }) => [user, 1] as const),
  )
}

const shape = ({ body }: Answer) =>
  body.variants.map(({ converted, exposed, is_control, variant }: Record<string, unknown>) =>
    [variant, exposed, converted, is_control ? 'control' : ''].join(' ').trim(),
  )

describe('the results of an experiment', () => {
  it('results are empty without data', async () => {
    const { body: experiment } = await create('empty', { control_variant: 'blue' })
    expect(await readResults('empty')).toMatchObject({
      status: 200,
      body: {
        experiment,
        control_variant: null,
        total_exposed: 0,
        total_converted: 0,
        variants: [],
        sample_ratio_mismatch: null,
        power: null,
      },
    })
  })

  it('results distinguish the 1,000 most frequent variants, the control and weighted ones, and count all users', async () => {
    await create('many-values', { control_variant: 'z-control' })
    const flag = {
      key: 'flag-many-values',
      is_enabled: true,
      flag_type: 'string',
      default_value: 'z-weighted',
      disabled_value: 'z-weighted',
      variants: [{ weight: 1, value: 'z-weighted' }],
    }
    const created = await server.call({ path: `/api/environments/${environment_id}/flags`, body: flag })
    expect(created).toMatchObject({ status: 200 })
    const values = Array.from({ length: 1_050 }, (_, n) => String(n).padStart(4, '0'))
    const all = [...values, 'z-control', 'z-weighted']
    for (let at = 0; at < all.length; at += 400) {
      const some = all.slice(at, at + 400)
      await report(
        'many-values',
        some.map((value) => [value, value, 0] as const),
        some.map((value) => [value, 1] as const),
      )
    }
    const { body } = await readResults('many-values')
    expect(body).toMatchObject({ total_exposed: 1_052, total_converted: 1_052, control_variant: 'z-control' })
    expect(body.variants.map(({ variant }: { variant: string }) => variant)).toEqual([
      'z-control',
      ...values.slice(0, 1_000),
      'z-weighted',
    ])
  })

  it('results put a user into the variant of the first exposure, whenever it arrives', async () => {
    await create('first')
    await report('first', [
      ['ann', 'b', 20],
      ['ann', 'a', 10],
      ['bob', 'a', 10],
      ['bob', 'b', 20],
    ])
    expect(shape(await readResults('first'))).toEqual(['a 2 0 control'])
    // It arrives late, but happened before.
    await report('first', [['bob', 'b', 5]])
    expect(shape(await readResults('first'))).toEqual(['a 1 0 control', 'b 1 0'])
  })

  it('results use the order of arrival for exposures at the same time', async () => {
    await create('ties')
    await report('ties', [
      ['ann', 'b', 10],
      ['ann', 'a', 10],
    ])
    expect(shape(await readResults('ties'))).toEqual(['b 1 0 control'])
  })

  it('results count a goal at the time of the first exposure or later', async () => {
    await create('goals')
    await report(
      'goals',
      [
        ['same', 'a', 10],
        ['later', 'a', 10],
        ['earlier', 'a', 10],
        ['both', 'a', 10],
        ['never', 'a', 10],
      ],
      [
        ['same', 10],
        ['later', 11],
        ['earlier', 9],
        ['both', 12],
        ['both', 3],
        ['stranger', 11],
      ],
    )
    expect(shape(await readResults('goals'))).toEqual(['a 5 3 control'])
  })

  it('results take an exposure by a fast clock at its arrival, and the list shows the time that was sent', async () => {
    await create('fast')
    const evaluated_at = new Date(Date.now() + 45 * 60_000).toISOString()
    await ingest('impressions', [{ flag_key: 'flag-fast', user_id: 'ann', value: 'a', evaluated_at }])
    await ingest('events', [{ event_key: 'goal-fast', user_id: 'ann', occurred_at: evaluated_at }])
    expect(shape(await readResults('fast'))).toEqual(['a 1 1 control'])
    const listed = await server.call({
      path: `/api/environments/${environment_id}/impressions?flag_key=flag-fast`,
    })
    expect(listed.body.items).toMatchObject([{ evaluated_at }])
  })

  it('results leave out anonymous evaluations and goals', async () => {
    await create('anonymous')
    await report(
      'anonymous',
      [
        [null, 'a', 1],
        ['ann', 'b', 1],
      ],
      [[null, 2]],
    )
    expect(shape(await readResults('anonymous'))).toEqual(['b 1 0 control'])
  })

  it('results compare with the control variant when it has data', async () => {
    await create('wanted', { control_variant: 'b' })
    await reportMany('wanted', [
      ['a', 3, 0],
      ['b', 1, 0],
      ['c', 2, 0],
    ])
    expect(shape(await readResults('wanted'))).toEqual(['b 1 0 control', 'a 3 0', 'c 2 0'])
    expect((await readResults('wanted')).body.control_variant).toBe('b')
  })

  it('results compare with the variant with the most exposures when the control variant has no data', async () => {
    await create('absent', { control_variant: 'nobody-saw-it' })
    await reportMany('absent', [
      ['a', 1, 0],
      ['b', 3, 0],
      ['c', 2, 0],
    ])
    expect(shape(await readResults('absent'))).toEqual(['b 3 0 control', 'a 1 0', 'c 2 0'])
  })

  it('results take the first by name, in code unit order, of variants with as many exposures', async () => {
    await create('equal')
    await reportMany('equal', [
      ['a', 2, 0],
      ['B', 2, 0],
      ['é', 2, 0],
      ['z', 1, 0],
    ])
    expect(shape(await readResults('equal'))).toEqual(['B 2 0 control', 'a 2 0', 'z 1 0', 'é 2 0'])
  })

  it('results have rates, uplift, z and p', async () => {
    await create('numbers', { control_variant: 'blue' })
    await reportMany('numbers', [
      ['blue', 200, 20],
      ['green', 200, 40],
    ])
    const { body } = await readResults('numbers')
    expect(body).toMatchObject({ total_exposed: 400, total_converted: 60, control_variant: 'blue' })
    expect(body.variants[0]).toEqual({
      variant: 'blue',
      exposed: 200,
      converted: 20,
      conversion_rate: 0.1,
      is_control: true,
      uplift: null,
      z_score: null,
      p_value: null,
      significant: false,
      confidence_interval: null,
      sequential: null,
    })
    // z = 0.1 / sqrt(0.15 · 0.85 · 2 / 200), p from SciPy's norm.sf.
    expect(body.variants[1]).toMatchObject({
      variant: 'green',
      conversion_rate: 0.2,
      uplift: 1,
      significant: true,
    })
    expect(body.variants[1].z_score).toBeCloseTo(2.8005601680560193, 12)
    expect(body.variants[1].p_value).toBeCloseTo(0.0051013996460049825, 12)
    expect(body.power.required_per_variant).toBe(199)
  })

  it('results have null where a number is undefined', async () => {
    await create('undefined', { control_variant: 'a' })
    await reportMany('undefined', [
      ['a', 5, 0],
      ['b', 5, 0],
    ])
    expect((await readResults('undefined')).body).toMatchObject({
      variants: [
        { variant: 'a' },
        {
          uplift: null,
          z_score: null,
          p_value: null,
          significant: false,
          confidence_interval: null,
          sequential: null,
        },
      ],
      power: null,
    })
  })

  it('results have no uplift over a control without conversions, but a z', async () => {
    await create('zero', { control_variant: 'a' })
    await reportMany('zero', [
      ['a', 50, 0],
      ['b', 50, 10],
    ])
    const [, variant] = (await readResults('zero')).body.variants
    expect(variant).toMatchObject({ uplift: null, z_score: expect.any(Number), significant: true })
  })

  it('results show what was reported before the experiment was created, and for any status', async () => {
    await report('before', [['ann', 'a', 1]])
    await create('before')
    await change('before', { status: 'completed' })
    expect(shape(await readResults('before'))).toEqual(['a 1 0 control'])
    await report('before', [['bob', 'a', 1]])
    expect(shape(await readResults('before'))).toEqual(['a 2 0 control'])
  })

  it('results follow a changed goal', async () => {
    await create('goal-change')
    await report('goal-change', [['ann', 'a', 1]], [['ann', 2]])
    expect(shape(await readResults('goal-change'))).toEqual(['a 1 1 control'])
    await change('goal-change', { goal_event_key: 'nobody-reached-it' })
    expect(shape(await readResults('goal-change'))).toEqual(['a 1 0 control'])
  })

  it('results of one environment exclude those of another', async () => {
    await create('two-places')
    await report('two-places', [['ann', 'a', 1]])
    const other = `/api/environments/${server.environments.staging}/experiments`
    await server.call({ path: other, body: input('two-places') })
    expect((await server.call({ path: `${other}/two-places/results` })).body.total_exposed).toBe(0)
  })

  it('results include what was just written, each time', async () => {
    await create('own-writes')
    for (let users = 1; users <= 20; users += 1) {
      await report('own-writes', [[`user-${users}`, 'a', 1]])
      expect((await readResults('own-writes')).body.total_exposed).toBe(users)
      await report('own-writes', [], [[`user-${users}`, 2]])
      expect((await readResults('own-writes')).body.total_converted).toBe(users)
    }
  })
})

describe('the check of the split', () => {
  const putFlag = (key: string, more: object) =>
    server.call({
      path: `/api/environments/${environment_id}/flags`,
      body: { key: `flag-${key}`, is_enabled: true, flag_type: 'string', ...more },
    })
  const weighted = (...weights: readonly (readonly [value: unknown, weight: number])[]) => ({
    variants: weights.map(([value, weight]) => ({ value, weight })),
  })

  it('the split check is null for an unknown flag, a boolean one and one without variants', async () => {
    for (const [key, flag] of [
      ['no-flag', null],
      ['boolean', { flag_type: 'boolean' }],
      ['no-variants', {}],
    ] as const) {
      await create(key)
      if (flag) await putFlag(key, flag)
      await reportMany(key, [
        ['true', 30, 0],
        ['false', 60, 0],
      ])
      expect((await readResults(key)).body.sample_ratio_mismatch).toBeNull()
    }
  })

  it('the split check finds a wrong split, and none when users follow the weights', async () => {
    await create('broken')
    await putFlag('broken', weighted(['a', 50], ['b', 50]))
    await reportMany('broken', [
      ['a', 100, 0],
      ['b', 40, 0],
    ])
    const { mismatch, p_value } = (await readResults('broken')).body.sample_ratio_mismatch
    // chi-square = 2 · 30² / 70, SciPy's chi2.sf.
    expect(p_value).toBeCloseTo(3.95885676595604e-7, 16)
    expect(mismatch).toBe(true)

    await putFlag('broken', weighted(['a', 5], ['b', 2]))
    expect((await readResults('broken')).body.sample_ratio_mismatch).toEqual({ p_value: 1, mismatch: false })
  })

  it('the split check reads integer and JSON values as SDKs report them', async () => {
    await create('typed')
    await putFlag('typed', { flag_type: 'json', ...weighted([{ b: 1, a: [true] }, 1], [7, 1], ['text', 0]) })
    await reportMany('typed', [
      ['{"b":1,"a":[true]}', 60, 0],
      ['7', 60, 0],
      ['text', 60, 0],
      ['other', 60, 0],
    ])
    expect((await readResults('typed')).body.sample_ratio_mismatch).toEqual({ p_value: 1, mismatch: false })
  })
})
