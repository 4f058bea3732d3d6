import { endpoints } from '@burgee/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, COLUMNS } from '../../authorization/caller.ts'
import { createCallers } from '../../authorization/callers.ts'
import { missesOf, planMisses } from '../../authorization/misses.ts'
import { ENDPOINT_NAMES, type EndpointName, observe, paramsOf, titleOf } from '../../authorization/observe.ts'
import type { Plan } from '../../authorization/plans/plan.ts'
import { PLANNERS } from '../../authorization/plans/plans.ts'
import { type Row, readExpected } from '../../authorization/read-expected.ts'
import { createWorld, type Place, type World } from '../../authorization/world.ts'

const expected = readExpected()
const CELL = /^(ok|own|all|[45]\d\d)$/
const WRITES = /^(POST|PATCH|PUT|DELETE) /
const KEYS: readonly string[] = ['key', 'key env', 'key prj', 'client', 'reader', 'legacy']
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

let world: World
let callers: Caller[]
beforeAll(async () => {
  world = await createWorld()
  callers = await createCallers(world)
})
afterAll(() => world?.server.close())

const titles = (rows: readonly Row[]) => rows.map(({ endpoint }) => endpoint).sort()
const titlesWhere = (fits: (name: EndpointName) => boolean) => ENDPOINT_NAMES.filter(fits).map(titleOf).sort()
const isInAProject = (name: EndpointName): boolean =>
  'environmentInQuery' in endpoints[name] ||
  paramsOf(name).some((param) => param === 'project_id' || param === 'env_id')

/** Returns the rows of a table with their endpoints; rows without one are tested elsewhere. */
const withNames = (rows: readonly Row[]) =>
  rows.flatMap((row) => {
    const name = ENDPOINT_NAMES.find((candidate) => titleOf(candidate) === row.endpoint)
    return name ? [{ title: row.endpoint ?? '', name, row }] : []
  })

/** Returns the response of each caller, by the caller's name. */
async function ask(
  requesters: readonly Caller[],
  send: (caller: Caller) => Promise<string>,
): Promise<Record<string, string>> {
  const cells = await Promise.all(
    requesters.map(async (caller) => [caller.name, await send(caller)] as const),
  )
  return Object.fromEntries(cells)
}

/** Requests that are refused for their credential change nothing, so they share a plan. */
async function askAt(requesters: readonly Caller[], place: Place, name: EndpointName) {
  const plan = (caller: Caller) => PLANNERS[name](world, place, caller)
  const refused = endpoints[name].access === 'public' ? null : await plan(callerOf('nobody'))
  return ask(requesters, async (caller) => {
    const shared = caller.column === 'nobody' ? refused : null
    return observe(world, name, caller, shared ?? (await plan(caller)))
  })
}

const byCaller = (requesters: readonly Caller[], cell: (caller: Caller) => string | undefined) =>
  Object.fromEntries(requesters.map((caller) => [caller.name, cell(caller)]))

function callerOf(column: string): Caller {
  const caller = callers.find((candidate) => candidate.column === column)
  if (!caller) throw new Error(`no caller for ${column}`)
  return caller
}

/** Each invalid credential is tried at home; elsewhere one of them is enough. */
const withOneNobody = (): Caller[] =>
  callers.filter((caller) => caller.column !== 'nobody' || caller === callerOf('nobody'))

/** Returns the callers about a missing thing: of those who get the same response, a quarter by turns. */
function withSomeOthers(turn: number): Caller[] {
  const all = withOneNobody()
  const isAlone = ({ column }: Caller) => column === 'nobody' || column === 'no csrf' || KEYS.includes(column)
  const others = all.filter((caller) => !isAlone(caller))
  return [...all.filter(isAlone), ...others.filter((_, nth) => (nth + turn) % 4 === 0)]
}

/** The rows that a table lacks, ready to paste into `expected.md`; the cells are to be filled in. */
const missingRows = (rows: readonly Row[], wanted: readonly string[]): string[] =>
  wanted
    .filter((title) => !titles(rows).includes(title))
    .map((title) => `| ${[title, ...COLUMNS.map(() => '?')].join(' | ')} |`)

describe('the expected table of authorization', () => {
  it('the table has one row for every endpoint of the contract, and no other', () => {
    expect(
      missingRows(
        expected.home,
        titlesWhere(() => true),
      ),
    ).toEqual([])
    expect(titles(expected.home)).toEqual(titlesWhere(() => true))
  })

  it('the table has one row about another project for every endpoint in a project', () => {
    expect(missingRows(expected.abroad, titlesWhere(isInAProject))).toEqual([])
    expect(titles(expected.abroad)).toEqual(titlesWhere(isInAProject))
  })

  it('the table has rows about every way to miss what the path of an endpoint names', () => {
    const found = new Map<string, string[]>()
    for (const { endpoint = '', 'missed by': missedBy = '' } of expected.missing) {
      found.set(endpoint, [...(found.get(endpoint) ?? []), ...missedBy.split(', ')])
    }
    const named = ENDPOINT_NAMES.filter((name) => paramsOf(name).length > 0)
    expect(found).toEqual(new Map(named.map((name) => [titleOf(name), missesOf(name)])))
  })

  it('the table has a cell for every caller', () => {
    for (const row of [...expected.home, ...expected.abroad]) {
      expect(Object.keys(row)).toEqual(['endpoint', ...COLUMNS])
      for (const column of COLUMNS) expect(row[column], row.endpoint).toMatch(CELL)
    }
  })

  it('the table has a caller in every column', () => {
    expect(new Set(callers.map(({ column }) => column))).toEqual(new Set(COLUMNS))
  })
})

describe("authorization in the caller's project", () => {
  it.each(withNames(expected.home))('$title', async ({ name, row }) => {
    expect(await askAt(callers, world.home, name)).toEqual(byCaller(callers, ({ column }) => row[column]))
  })
})

describe('authorization in another project', () => {
  it.each(withNames(expected.abroad))('$title', async ({ name, row }) => {
    const requesters = withOneNobody()
    expect(await askAt(requesters, world.abroad, name)).toEqual(
      byCaller(requesters, ({ column }) => row[column]),
    )
  })
})

describe('authorization for missing things', () => {
  const cellOf = (row: Row, { column }: Caller): string | undefined => {
    if (column === 'nobody' || column === 'no csrf') return row[column]
    return KEYS.includes(column) ? row.keys : row.others
  }

  it.each(withNames(expected.missing))('$title', async ({ name, row, title }) => {
    expect(row['no csrf']).toBe(WRITES.test(title) ? '403' : row.others)
    const stranger = await callerOf('owner').another()
    const requesters = withSomeOthers(expected.missing.indexOf(row))
    const missedBy = row['missed by']?.split(', ') ?? []
    for (const miss of missesOf(name).filter((candidate) => missedBy.includes(candidate))) {
      for (const { plan, title: missed } of await planMisses(world, name, miss, stranger)) {
        const answers = await ask(requesters, (caller) => observe(world, name, caller, plan))
        expect(answers, missed).toEqual(byCaller(requesters, (caller) => cellOf(row, caller)))
      }
    }
  })
})

describe('ids in bodies and queries', () => {
  const promoteTo =
    (target_env_id: string): Ask =>
    async (name, caller) => ({
      ...(await PLANNERS[name](world, world.home, caller)),
      body: { target_env_id },
    })
  const keyOf =
    (environment_id: string): Ask =>
    async () => ({
      params: { project_id: world.home.project_id },
      body: { name: 'Key', environment_id },
    })
  const compareWith =
    (target: string): Ask =>
    async () => ({
      params: { project_id: world.home.project_id },
      query: { source: world.home.environment_id, target },
    })
  const streamOf =
    (environment_id: string): Ask =>
    async () => ({ query: { environment_id } })

  type Ask = (name: EndpointName, caller: Caller) => Promise<Plan>
  type Case = readonly [
    name: EndpointName,
    what: string,
    make: (id: string) => Ask,
    id: () => string,
    cells: Record<string, string>,
  ]
  const abroad = () => world.abroad.environment_id
  const unknown = () => UNKNOWN_ID
  const malformed = () => 'no-uuid'

  it.each<Case>([
    ['promoteFlag', 'abroad', promoteTo, abroad, { viewer: '403', editor: '422', owner: '422', key: '403' }],
    ['promoteFlag', 'unknown', promoteTo, unknown, { viewer: '403', editor: '404', owner: '404' }],
    ['promoteFlag', 'malformed', promoteTo, malformed, { viewer: '403', editor: '422', owner: '422' }],
    ['createSdkKey', 'abroad', keyOf, abroad, { editor: '403', admin: '422', owner: '422', key: '403' }],
    ['createSdkKey', 'unknown', keyOf, unknown, { editor: '403', admin: '422', owner: '422', key: '403' }],
    [
      'createSdkKey',
      'malformed',
      keyOf,
      malformed,
      { editor: '403', admin: '422', owner: '422', key: '422' },
    ],
    ['compareFlags', 'abroad', compareWith, abroad, { viewer: '422', outsider: '403', owner: '422' }],
    ['compareFlags', 'unknown', compareWith, unknown, { viewer: '404', outsider: '403', owner: '404' }],
    ['compareFlags', 'malformed', compareWith, malformed, { viewer: '422', outsider: '403', owner: '422' }],
    ['openStream', 'unknown', streamOf, unknown, { viewer: '404', owner: '404', 'ow-ro': '404' }],
    ['openStream', 'malformed', streamOf, malformed, { viewer: '422', owner: '422', 'ow-ro': '422' }],
    ['openStream', 'abroad', streamOf, abroad, { viewer: '403', admin: '403', 'ed-rw': '403' }],
  ])('%s with an environment that is %s', async (name, _what, make, id, cells) => {
    const answers: Record<string, string> = {}
    for (const column of Object.keys(cells)) {
      const caller = callerOf(column)
      answers[column] = await observe(world, name, caller, await make(id())(name, caller))
    }
    expect(answers).toEqual(cells)
  })
})
