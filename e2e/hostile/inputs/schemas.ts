import type { Random } from '../../../packages/server/test/fuzz/random.ts'
import type { HostileInput, HostileRequest } from '../hostile-input.ts'
import { hostileSchema } from '../schemas/hostile-schema.ts'
import { hostileValue } from '../schemas/hostile-values.ts'

const FLAGS = '/api/environments/:env_id/flags'

/** Schemas and values whose check multiplies, through every endpoint that checks them. */
export const schemas: HostileInput = {
  name: 'schemas',
  create(random) {
    const content = { flag_type: 'json', ...hostileContent(random) }
    const flag = { key: `schema-${random.integer(1, 5)}`, is_enabled: true, ...content }
    // With the schema alone the flag is there for the requests after it.
    const bare = { ...flag, default_value: null }
    const change = { flag_key: flag.key, operation: 'patch', patch: content }
    const invariant = { key: 'one', flag: flag.key, never: [1] }
    const requests: readonly HostileRequest[] = [
      { as: 'server', method: 'POST', path: FLAGS, body: flag },
      { as: 'admin', method: 'POST', path: `${FLAGS}/preview`, body: flag },
      { as: 'server', method: 'PATCH', path: `${FLAGS}/${flag.key}`, body: { is_enabled: false } },
      apply({ flags: [flag] }),
      apply({ flags: severalOf(flag), dry_run: true }),
      {
        ...{ as: 'server', method: 'POST', path: '/api/environments/:env_id/impact' },
        body: { changes: Array.from({ length: random.integer(1, 6) }, () => change), users: [] },
      },
      {
        ...{ as: 'admin', method: 'POST', path: '/api/projects/:project_id/invariants/check' },
        body: { environment_id: ':env_id', invariants: [invariant], changes: [change] },
      },
    ]
    return [{ as: 'server', method: 'POST', path: FLAGS, body: bare }, ...chosen(requests, random)]
  },
}

const apply = (body: object): HostileRequest => ({
  ...{ as: 'server', method: 'POST', path: '/api/environments/:env_id/apply' },
  body,
})

function hostileContent(random: Random) {
  const value = hostileValue(random)
  return { value_schema: hostileSchema(random), default_value: value }
}

const severalOf = (flag: object) =>
  Array.from({ length: 4 }, (_, at) => ({ ...flag, key: `schema-many-${at}` }))

/** Returns two of the requests. */
function chosen(requests: readonly HostileRequest[], random: Random): readonly HostileRequest[] {
  const first = random.integer(0, requests.length - 1)
  const second = random.integer(0, requests.length - 1)
  return requests.filter((_, at) => at === first || at === second)
}
