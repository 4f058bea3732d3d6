import { randomUUID } from 'node:crypto'
import { type Endpoint, endpoints, INTEGER_ID_MAX } from '@burgee/contract'
import type { Caller } from './caller.ts'
import { type EndpointName, paramsOf } from './observe.ts'
import type { Plan } from './plans/plan.ts'
import { PLANNERS } from './plans/plans.ts'
import type { World } from './world.ts'

/** The ways to address something that does not exist; `expected.md` describes them. */
const MISSES = ['malformed', 'unknown', 'elsewhere', 'unknown abroad'] as const
export type Miss = (typeof MISSES)[number]

/** A valid request that misses its target in one way. */
export interface MissingPlan {
  readonly title: string
  readonly plan: Plan
}

/** Returns the ways to miss what an endpoint's path names. */
export function missesOf(name: EndpointName): Miss[] {
  const endpoint: Endpoint = endpoints[name]
  const params = existingParams(name)
  if (params.length > 1) return [...MISSES]
  return endpoint.addresses !== undefined && OWN.includes(endpoint.addresses)
    ? ['malformed', 'unknown', 'elsewhere']
    : ['malformed', 'unknown']
}

/**
 * The parameters that need not name something: the first write to a repository creates it, and removing a
 * seen user does not say whether they were known.
 */
const FREE_PARAMS: readonly string[] = ['flag_key', 'repo', 'user_key']

/** Lists the parameters of a path that name something. */
const existingParams = (name: EndpointName) => paramsOf(name).filter((param) => !FREE_PARAMS.includes(param))

/** The things that belong to one user; users belong to the workspace. */
const OWN: readonly string[] = ['access_token', 'session', 'passkey']

/** Plans requests that miss in the given way. `stranger` sends none of them. */
export async function planMisses(
  world: World,
  name: EndpointName,
  miss: Miss,
  stranger: Caller,
): Promise<MissingPlan[]> {
  const atHome = await PLANNERS[name](world, world.home, stranger)
  const params = existingParams(name)
  const last = params.at(-1) ?? ''
  const withParam = (plan: Plan, param: string, value: string | number | undefined): MissingPlan => ({
    title: `${miss} ${param}`,
    plan: { ...plan, params: { ...plan.params, [param]: value ?? '' } },
  })
  switch (miss) {
    case 'malformed':
      return params.map((param) => withParam(atHome, param, MALFORMED[kindOf(name, param)]))
    case 'unknown':
      return params.map((param) => withParam(atHome, param, unknown(world, kindOf(name, param))))
    case 'elsewhere': {
      const elsewhere = await PLANNERS[name](world, world.abroad, stranger)
      return [withParam(atHome, last, elsewhere.params?.[last])]
    }
    case 'unknown abroad': {
      const abroad = await PLANNERS[name](world, world.abroad, stranger)
      return [withParam(abroad, last, unknown(world, kindOf(name, last)))]
    }
  }
}

type ParamKind = 'uuid' | 'key' | 'number'

function kindOf(name: EndpointName, param: string): ParamKind {
  const { params }: Endpoint = endpoints[name]
  const schema: { readonly type?: unknown; readonly format?: unknown } = params?.properties[param] ?? {}
  if (schema.type === 'integer') return 'number'
  return schema.format === 'uuid' ? 'uuid' : 'key'
}

const MALFORMED: Record<ParamKind, string> = { uuid: 'no-uuid', key: 'no%20key', number: '1e1' }

function unknown({ newName }: World, kind: ParamKind): string | number {
  if (kind === 'uuid') return randomUUID()
  return kind === 'key' ? newName('unknown') : INTEGER_ID_MAX
}
