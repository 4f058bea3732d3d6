import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, COLUMNS, type Column } from '../../authorization/caller.ts'
import { createCallers } from '../../authorization/callers.ts'
import { ENDPOINT_NAMES, type EndpointName, observe, titleOf } from '../../authorization/observe.ts'
import { PLANNERS } from '../../authorization/plans/plans.ts'
import {
  asAdmin,
  createKey,
  createWorld,
  type Place,
  putFlag,
  type World,
} from '../../authorization/world.ts'
import { eventually } from '../../harness/eventually.ts'
import { readStream, type TestStream } from '../../harness/read-stream.ts'
import { REACHES_NOTHING, SIDE_DOORS } from '../../side-doors/attacks.ts'
import { isProtected, readProtected, seedProtected, seedSource } from '../../side-doors/protected-flags.ts'
import { sendAttack } from '../../side-doors/send-attack.ts'

const OF_WORKSPACE_ADMINS: readonly Column[] = ['owner', 'ow-ro', 'ow-rw']

/** Their requests to endpoints that reach no flag are tried too. Others may do less at these. */
const IN_FULL: readonly Column[] = ['admin', 'key', 'robot', 'custom']

let world: World
let callers: Caller[]
/** A key that survives, with what its stream received. */
let sdk_key: string
let stream: TestStream
/** The index of the first event after the bootstrap. */
let readyAt: number

beforeAll(async () => {
  world = await createWorld()
  callers = await createCallers(world)
  sdk_key = (await createKey(world, world.home)).key
  await seedSource(world.server, world.home.otherEnvironmentId)
  await seedProtected(world.server, world.home.environment_id)
  await guard(world.home)
  stream = await readStream(`${world.server.url}/stream`, { authorization: `Bearer ${sdk_key}` })
  await stream.until(({ event }) => event === 'ready')
  readyAt = stream.events.findIndex(({ event }) => event === 'ready')
})
afterAll(async () => {
  stream?.close()
  await world?.server.close()
})

const guard = ({ environment_id, project_id }: Place) =>
  asAdmin(world.server, {
    path: `/api/projects/${project_id}/environments/${environment_id}/require-approval`,
    body: { require_approval: true, approval_scope: 'all' },
  })

const read = () => readProtected(world.server, { environment_id: world.home.environment_id, sdk_key })

const isUpdateOf = (fits: (flag_key: string) => boolean) => (event: TestStream['events'][number]) =>
  event.event === 'update' && fits(event.data.flag?.key ?? event.data.key)

/** Lists the updates of protected flags that the stream received after its bootstrap. */
const sentSinceReady = () => stream.events.slice(readyAt).filter(isUpdateOf(isProtected))

function callerOf(column: Column): Caller {
  const caller = callers.find((candidate) => candidate.column === column)
  if (!caller) throw new Error(`no caller for ${column}`)
  return caller
}

const canReach = (name: EndpointName): boolean => SIDE_DOORS[name] !== REACHES_NOTHING

/** Uses an endpoint against the flags; returns the responses that do not refuse it. */
async function attack(name: EndpointName, caller: Caller): Promise<string[]> {
  const door = SIDE_DOORS[name]
  if (door === REACHES_NOTHING) {
    await observe(world, name, caller, await PLANNERS[name](world, world.home, caller))
    return []
  }
  const found: string[] = []
  for (const sent of await door(world, world.home, caller)) {
    const closedBy = [caller.column === 'nobody' ? 401 : 403, 202, ...(sent.closedBy ?? [])]
    const statuses = await sendAttack(world.server, name, caller, sent)
    await sent.restore?.()
    if (statuses.some((status) => !closedBy.includes(status))) {
      found.push(`${statuses} for ${JSON.stringify(sent)}`)
    }
  }
  return found
}

describe('attacks of the side-door tests', () => {
  it('the attacks cover every endpoint of the contract, and no other', () => {
    expect(Object.keys(SIDE_DOORS).sort()).toEqual([...ENDPOINT_NAMES].sort())
  })

  const reaching = ENDPOINT_NAMES.filter(canReach)
  /** These endpoints change no flag in any way. */
  const gentle: readonly EndpointName[] = [
    'previewFlag',
    'previewSegment',
    'rejectChangeRequest',
    'cancelChangeRequest',
    'makeEnvironmentDefault',
    'updateEnvironment',
    // It refuses keys that the environment has.
    'createManifestFlag',
  ]
  it.each(reaching.filter((name) => !gentle.includes(name)))(
    'the attacks succeed without approval: %s',
    async (name) => {
      const { server } = world
      const project = await asAdmin(server, { path: '/api/projects', body: { name: world.newName('twin') } })
      const [{ id: environment_id }, { id: otherEnvironmentId }] = project.environments
      const environmentIds = [environment_id, otherEnvironmentId]
      const place = { project_id: project.id, environment_id, otherEnvironmentId, environmentIds }
      await seedSource(server, otherEnvironmentId)
      await seedProtected(server, environment_id)
      if (name === 'requireApproval') await guard(place)
      const seen = { environment_id, sdk_key: project.sdk_key.key }
      const before = await readProtected(server, seen)
      expect(before.sdks).toHaveLength(4)

      const door = SIDE_DOORS[name]
      if (door === REACHES_NOTHING) throw new Error('no door')
      // A key would be refused for another reason: the owner can approve another requester's request.
      for (const sent of await door(world, place, callerOf('key'))) {
        await sendAttack(server, name, callerOf('owner'), sent)
        await sent.restore?.()
      }
      await eventually(async () => (await readProtected(server, seen)).sdks.join() !== before.sdks.join())
    },
  )
})

describe('attacks on protected flags where every change needs approval', () => {
  it.each(COLUMNS.filter((column) => !OF_WORKSPACE_ADMINS.includes(column)))(
    'no protected flag is changed by %s',
    async (column) => {
      const caller = callerOf(column)
      const before = await read()
      expect([before.sdks.length, before.stored.length]).toEqual([4, 5])
      for (const name of ENDPOINT_NAMES.filter((one) => canReach(one) || IN_FULL.includes(column))) {
        expect(await attack(name, caller), titleOf(name)).toEqual([])
        // An update that arrives late names an endpoint after its own.
        expect(sentSinceReady(), titleOf(name)).toEqual([])
      }
      expect(await read()).toEqual(before)
    },
  )

  it('no attack sends a protected flag to an open stream', async () => {
    const { key } = await putFlag(world, world.home.environment_id)
    await stream.until(isUpdateOf((updated) => updated === key))
    expect(stream.events.slice(0, readyAt).filter(isUpdateOf(isProtected))).toHaveLength(4)
    expect(sentSinceReady()).toEqual([])
    expect(stream.ended()).toBe(false)
  })

  it('no attack leaves a scheduled change', async () => {
    const waiting = await world.server.database.db
      .selectFrom('scheduled_changes')
      .select(['flag_key'])
      .where('environment_id', '=', world.home.environment_id)
      .execute()
    expect(waiting.filter(({ flag_key }) => isProtected(flag_key))).toEqual([])
  })
})
