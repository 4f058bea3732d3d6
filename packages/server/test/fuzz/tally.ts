import { CALLER_KINDS, type CallerKind } from './callers.ts'
import type { WireRequest } from './draft.ts'
import { toCurl } from './to-curl.ts'

interface Finding {
  /** The endpoint, the caller and the mutations. */
  readonly about: string
  readonly number: number
  readonly problem: string
  readonly request: WireRequest
  readonly url: string
}

/** The results of a run, counted as it proceeds. */
export interface Tally {
  readonly seed: number
  readonly findings: readonly Finding[]
  count(at: { name: string; kind: CallerKind }, status: number, took_ms: number): void
  find(finding: Finding): void
  /** Counts a 503, which the contract allows only under overload. */
  countOverload(text: string): void
  readonly total: () => number
  readonly successes: () => number
  /** The successful requests of one endpoint. */
  readonly successesOf: (name: string) => number
  /** The fewest requests of any endpoint from any kind of caller. */
  readonly fewest: () => number
  report(): string
}

const SLOWEST_SHOWN = 3
const FINDINGS_SHOWN = 40
const OVERLOADS_SHOWN = 10

export function createTally(seed: number): Tally {
  const byStatus = new Map<number, number>()
  const byPair = new Map<string, number>()
  const byKind = new Map<CallerKind, { total: number; ok: number }>()
  const byEndpoint = new Map<string, { total: number; ok: number }>()
  const findings: Finding[] = []
  const overloads: string[] = []
  let slowest: { name: string; took_ms: number }[] = []
  const total = () => sum(byStatus.values())
  const successes = () => sum([...byStatus].filter(([status]) => isSuccess(status)).map(([, count]) => count))

  return {
    seed,
    findings,
    count({ kind, name }, status, took_ms) {
      add(byStatus, status)
      add(byPair, `${name} ${kind}`)
      addOutcome(byKind, kind, status)
      addOutcome(byEndpoint, name, status)
      slowest = [...slowest, { name, took_ms }].sort((a, b) => b.took_ms - a.took_ms).slice(0, SLOWEST_SHOWN)
    },
    find: (finding) => findings.push(finding),
    countOverload: (text) => overloads.push(text),
    total,
    successes,
    successesOf: (name) => byEndpoint.get(name)?.ok ?? 0,
    fewest: () => Math.min(...byPair.values()),
    report: () =>
      [
        `seed ${seed}: ${total()} requests, ${successes()} of them answered 2xx`,
        `by status: ${[...byStatus]
          .sort(([a], [b]) => a - b)
          .map(([status, count]) => `${status}: ${count}`)
          .join(', ')}`,
        `2xx by caller: ${CALLER_KINDS.map((kind) => `${kind} ${share(byKind.get(kind))}`).join(', ')}`,
        `never 2xx: ${
          [...byEndpoint]
            .filter(([, { ok }]) => ok === 0)
            .map(([name]) => name)
            .join(', ') || 'no endpoint'
        }`,
        `slowest: ${slowest.map(({ name, took_ms }) => `${name} ${Math.round(took_ms)} ms`).join(', ')}`,
        `too busy (503): ${overloads.length}`,
        ...overloads.slice(0, OVERLOADS_SHOWN),
        ...describeFindings(findings),
      ].join('\n'),
  }
}

const isSuccess = (status: number) => status >= 200 && status < 300
const sum = (counts: Iterable<number>): number => [...counts].reduce((all, count) => all + count, 0)
const share = (outcome = { total: 0, ok: 0 }) => `${outcome.ok}/${outcome.total}`

function add<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function addOutcome<K>(outcomes: Map<K, { total: number; ok: number }>, key: K, status: number): void {
  const { ok, total } = outcomes.get(key) ?? { ok: 0, total: 0 }
  outcomes.set(key, { total: total + 1, ok: ok + (isSuccess(status) ? 1 : 0) })
}

/** Groups findings by endpoint and problem, each with its first request. */
function describeFindings(findings: readonly Finding[]): string[] {
  const groups = new Map<string, Finding[]>()
  for (const finding of findings) {
    const cause = `${finding.about.split(' ')[0]} ${finding.problem.replace(/[0-9a-f-]{36}|\d+/g, 'N').slice(0, 120)}`
    groups.set(cause, [...(groups.get(cause) ?? []), finding])
  }
  const described = [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    return [
      `${group.length} x ${first.about}: ${first.problem}`,
      `    number ${first.number}: ${toCurl(first.url, first.request)}`,
    ]
  })
  return [`${findings.length} findings in ${groups.size} groups`, ...described.slice(0, 2 * FINDINGS_SHOWN)]
}
