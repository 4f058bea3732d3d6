import { Agent } from 'node:http'
import { type Endpoint, endpoints } from '@burgee/contract'
import type { TestServer } from '../harness/start-test-server.ts'
import { buildDraft } from './build-draft.ts'
import { CALLER_KINDS, type CallerKind } from './callers.ts'
import { createChecker } from './check-response.ts'
import { type WireRequest, writeOut } from './draft.ts'
import { createGenerator } from './generate-value.ts'
import { makeHostile } from './hostile-requests.ts'
import { createRandom, seedOf } from './random.ts'
import { sendWireRequest } from './send-wire-request.ts'
import { createTally, type Tally } from './tally.ts'
import { FOREIGN_CANARY, type World } from './world.ts'

export interface FuzzPlan {
  readonly seed: number
  /** The requests to every endpoint from every kind of caller. */
  readonly perPair: number
  /** The additional requests, to any endpoint from callers with rights. */
  readonly further: number
  /** The numbers of the plan to run, to repeat single ones. */
  readonly only?: readonly number[]
}

export interface FuzzRun {
  readonly tally: Tally
  /** The writes with a 2xx response, which must have left an audit entry. */
  readonly writesAcknowledged: number
}

interface Aimed {
  readonly name: string
  readonly endpoint: Endpoint
  readonly kind: CallerKind
  readonly number: number
}

const CONCURRENCY = 16
const TEND_EVERY = 150
/** The share of valid requests. Kinds that are nearly always refused need fewer. */
const VALID_CHANCE: Partial<Record<CallerKind, number>> = { anonymous: 0.4, garbage: 0.4, client_key: 0.5 }
const USUAL_VALID_CHANCE = 0.65
const FURTHER_KINDS: readonly CallerKind[] = [
  'session_admin',
  'session_admin',
  'session_editor',
  'server_key',
  'read_write_token',
  'read_only_token',
]
/** Endpoints whose things no other request creates: an administrator calls each this often more. */
export const LONE_ENDPOINTS = [
  'dismissUnknownFlag',
  'endSession',
  'endUserSession',
  'deleteGroupMapping',
] as const
const LONE_REQUESTS = 10
/** Endpoints whose 2xx is not a change, or records each change separately. */
const UNAUDITED: readonly string[] = [
  'evaluateEnvironment',
  'findImpact',
  'evaluateHistory',
  'checkInvariants',
  'evaluateFlag',
  'evaluateFlags',
  'importFiles',
  'login',
  'logout',
  'reauthenticate',
  'loginWithSecondFactor',
  'startTotp',
  'startPasskey',
  'startPasskeyLogin',
  'startPasskeyConfirmation',
  // Without an app there is nothing to remove.
  'removeTotp',
  'changeFlagsInBulk',
  'previewFlag',
  'previewSegment',
]
const CUT_BODY_BYTES = 64 * 1024

/** Calls every endpoint of the contract with every kind of credential, in an order by the seed. */
export async function runFuzz(
  servers: readonly TestServer[],
  world: World,
  plan: FuzzPlan,
): Promise<FuzzRun> {
  const { seed } = plan
  const generate = createGenerator(seed)
  const check = createChecker()
  const tally = createTally(seed)
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY * 2 })
  const { environment_id, key, project_id } = world.foreign
  const smuggled = {
    environment_id,
    env_id: environment_id,
    project_id,
    key,
    source: environment_id,
    target: environment_id,
  }
  let writesAcknowledged = 0
  let done = 0
  let tending: Promise<void> | null = null

  const fireOne = async (aimed: Aimed): Promise<void> => {
    const { kind, name, number } = aimed
    const random = createRandom(seedOf(seed, number))
    const { url } = random.pick(servers)
    const { caller, draft: valid } = await buildDraft({ world, generate, random }, aimed)
    const draft = random.chance(VALID_CHANCE[kind] ?? USUAL_VALID_CHANCE)
      ? valid
      : makeHostile(random, valid, smuggled)
    const request = writeOut(draft)
    const about = `${name} ${kind} (${draft.how.join(', ') || 'valid'})`
    const find = (problem: string) => tally.find({ about, number, problem, request, url })
    try {
      const answer = await sendWireRequest({ agent, url }, request)
      tally.count(aimed, answer.status, answer.took_ms)
      if (answer.status === 503) {
        tally.countOverload(
          `    ${about} after ${Math.round(answer.took_ms)} ms: ${answer.body.slice(0, 200)}`,
        )
      }
      if (isAuditedWrite(name, request.method, answer.status)) writesAcknowledged += 1
      for (const problem of check(request, answer, draft.invited)) find(problem)
      if (!caller.isWorkspaceAdmin && answer.body.includes(FOREIGN_CANARY)) {
        find(`shows another project: ${answer.body.slice(0, 300)}`)
      }
    } catch (error) {
      tally.count(aimed, 0, 0)
      if (!mayBeCut(request, draft.invited)) find(`no answer: ${String(error)}`)
    }
    done += 1
    if (done % TEND_EVERY === 0) tending ??= world.tend().finally(() => (tending = null))
  }

  const queue = makePlan(plan)
  const work = async () => {
    for (let aimed = queue.pop(); aimed; aimed = queue.pop()) await fireOne(aimed)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  await tending
  agent.destroy()
  return { tally, writesAcknowledged }
}

/**
 * Returns whether a response may be cut off: a server that refuses a body may close before all of it is sent;
 * a stream closes a connection on which a body is still to come; and errors of the HTTP parser have a body,
 * also for HEAD, which it did not read.
 */
const mayBeCut = ({ body, method, path }: WireRequest, invited: readonly number[]): boolean =>
  (body?.length ?? 0) >= CUT_BODY_BYTES ||
  (body !== undefined && STREAM_PATHS.includes(path.split('?')[0] ?? '')) ||
  (method === 'HEAD' && (invited.includes(431) || invited.includes(400)))

const STREAM_PATHS: readonly string[] = [endpoints.openStream.path, endpoints.openEvents.path]

const isAuditedWrite = (name: string, method: string, status: number): boolean =>
  ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method) &&
  status >= 200 &&
  status < 300 &&
  !UNAUDITED.includes(name)

/** Creates the plan in shuffled order. The number alone determines a request. */
function makePlan({ further, only, perPair, seed }: FuzzPlan): Aimed[] {
  const random = createRandom(seed)
  const all = Object.entries<Endpoint>(endpoints)
  const pairs = all.flatMap(([name, endpoint]) => CALLER_KINDS.map((kind) => ({ name, endpoint, kind })))
  const planned = [
    ...pairs.flatMap((pair) => Array.from({ length: perPair }, () => pair)),
    ...LONE_ENDPOINTS.flatMap((name) =>
      Array.from({ length: LONE_REQUESTS }, () => ({
        name,
        endpoint: endpoints[name],
        kind: 'session_admin' as const,
      })),
    ),
    ...Array.from({ length: further }, () => {
      const [name, endpoint] = random.pick(all)
      return { name, endpoint, kind: random.pick(FURTHER_KINDS) }
    }),
  ].map((aimed, number) => ({ ...aimed, number }))
  if (only) return planned.filter(({ number }) => only.includes(number))
  for (let last = planned.length - 1; last > 0; last -= 1) {
    const other = random.integer(0, last)
    const [one, two] = [planned[last], planned[other]]
    if (one && two) [planned[last], planned[other]] = [two, one]
  }
  return planned
}
