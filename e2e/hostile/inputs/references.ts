import type { Random } from '../../../packages/server/test/fuzz/random.ts'
import type { HostileInput, HostileRequest } from '../hostile-input.ts'

const AT = '/api/environments/:env_id'

/** Segments and flags that name each other again and again, with long conditions, tags and requirements. */
export const references: HostileInput = {
  name: 'references',
  create(random) {
    const count = random.integer(2, 6)
    const keys = Array.from({ length: count }, (_, at) => `reference-${at}`)
    const segments = keys.map((key) => ({ key, name: key, rules: rulesOf(random, keys) }))
    const flags = keys.map((key) => ({
      ...{ key, is_enabled: true, rules: rulesOf(random, keys), tags: tagsOf(random) },
      prerequisites: requirementsOf(random, keys),
    }))
    const [segment, flag] = [random.pick(segments), random.pick(flags)]
    const change = { flag_key: flag.key, operation: 'replace', flag }
    const requests: readonly HostileRequest[] = [
      { as: 'admin', method: 'POST', path: `${AT}/segments/preview`, body: previewOf(segment) },
      { as: 'admin', method: 'POST', path: `${AT}/flags/preview`, body: flag },
      { as: 'server', method: 'POST', path: `${AT}/apply`, body: { segments, flags, dry_run: true } },
      { as: 'server', method: 'POST', path: `${AT}/impact`, body: { changes: [change], users: [] } },
      { as: 'server', method: 'POST', path: `${AT}/evaluate`, body: { user_key: 'ann', trace: true } },
      { as: 'admin', method: 'GET', path: '/api/projects/:project_id/stale?max_age=0' },
    ]
    return [
      ...segments.map((body) => ({ as: 'server', method: 'POST', path: `${AT}/segments`, body }) as const),
      ...flags.map((body) => ({ as: 'server', method: 'POST', path: `${AT}/flags`, body }) as const),
      random.pick(requests),
      random.pick(requests),
    ]
  },
}

const previewOf = ({ key, ...patch }: { readonly key: string }) => ({ key, patch })

const countOf = (random: Random, digits: number): number => random.integer(1, 10 ** random.integer(0, digits))

function rulesOf(random: Random, keys: readonly string[]): object[] {
  const count = countOf(random, 3)
  const length = random.integer(1, Math.max(1, Math.floor(200_000 / count)))
  // As many conditions as the items of a body allow.
  const conditions = random.integer(0, Math.floor(9_000 / count))
  return Array.from({ length: count }, (_, at) => ({
    ...testOf(random, keys, { at, length: random.integer(1, Math.min(length, 20_000)) }),
    conditions: Array.from({ length: conditions }, (_, nth) => conditionOf(random, keys, nth)),
  }))
}

const operatorOf = (random: Random): string =>
  random.pick(['equals', 'not_equals', 'contains', 'not_in', 'starts_with'])

function testOf(
  random: Random,
  keys: readonly string[],
  { at, length }: { readonly at: number; readonly length: number },
): object {
  if (random.integer(0, 2) === 0)
    return { segment_key: random.pick(keys), operator: random.pick(['', 'not_in_segment']) }
  return { attribute: 'a', operator: operatorOf(random), values: [`${at}`.padEnd(length, 'x')] }
}

function conditionOf(random: Random, keys: readonly string[], at: number): object {
  if (random.integer(0, 3) === 0)
    return { segment_key: random.pick(keys), operator: random.pick(['in_segment', 'not_in_segment']) }
  return { attribute: 'a', operator: 'equals', values: [`${at}`] }
}

const tagsOf = (random: Random): string[] =>
  Array.from({ length: countOf(random, 4) }, (_, at) => `tag-${at}`)

const requirementsOf = (random: Random, keys: readonly string[]): object[] =>
  Array.from({ length: countOf(random, 3) }, () => ({
    flag_key: random.pick(keys),
    ...(random.integer(0, 1) === 0 && { required_value: random.pick(['never', true]) }),
  }))
