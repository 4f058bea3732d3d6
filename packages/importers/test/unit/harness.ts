import { readFileSync } from 'node:fs'
import type { FlagInput, Segment, TargetingRule } from '@burgee/contract'
import { createFlagSet, type FlagSet, type JsonValue, listRequirements } from '@burgee/evaluation'
import { expandRules, toRule } from '../../../server/src/features/rules/index.ts'
import { type ImportOptions, type ImportResult, type ImportSystem, importFiles } from '../../src/index.ts'

/** Reads a file of another service. */
export const dataFile = (path: string): unknown =>
  JSON.parse(readFileSync(new URL(`../samples/${path}`, import.meta.url), 'utf8'))

/** Imports the content of one or more files at a fixed time. */
export const importData = (
  system: ImportSystem,
  data: readonly unknown[],
  options: ImportOptions = {},
): ImportResult =>
  importFiles(
    system,
    data.map((content, index) => ({ name: `file-${index}`, data: content })),
    { nowMs: 0, ...options },
  )

/** Compiles one imported environment as SDKs receive it. */
export const compile = ({ environments }: ImportResult, index = 0): FlagSet =>
  compileEnvironment(environments[index] ?? { flags: [], segments: [] })

export function compileEnvironment({
  flags,
  segments,
}: Pick<ImportResult['environments'][number], 'flags' | 'segments'>): FlagSet {
  const known = new Map(segments.map((segment) => [segment.key, membersOf(segment)]))
  return createFlagSet(
    flags.map((flag) => {
      const rules = expandRules((flag.rules ?? []).map(toRule), known, flag.flag_type ?? 'boolean')
      const wire = { rollout_percentage: null, variants: [], prerequisites: [], ...withoutNulls(flag), rules }
      return { ...wire, requires: listRequirements(wire as never) }
    }),
  )
}

const membersOf = ({
  excluded_keys,
  included_keys,
  rules,
}: ImportResult['environments'][number]['segments'][number]) =>
  ({
    rules: (rules ?? []).map(toRule) as TargetingRule[],
    included_keys: included_keys ?? [],
    excluded_keys: excluded_keys ?? [],
  }) as Pick<Segment, 'rules' | 'included_keys' | 'excluded_keys'>

const withoutNulls = (flag: FlagInput) =>
  Object.fromEntries(
    Object.entries(flag).filter(([name, value]) => value !== null || name.endsWith('_value')),
  )

/** A user of the comparisons. */
export interface User {
  readonly key: string
  readonly attributes: Readonly<Record<string, string | number | boolean | string[]>>
}

/** Draws users whose attributes are often among those that the flags compare. */
export function drawUsers(
  count: number,
  pools: Readonly<Record<string, readonly User['attributes'][string][]>>,
): User[] {
  let state = 42
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state % below
  }
  const keys = pools.$key ?? []
  return Array.from({ length: count }, (_, index) => ({
    key: random(4) === 0 && keys.length > 0 ? String(keys[random(keys.length)]) : `user-${index}`,
    attributes: Object.fromEntries(
      Object.entries(pools).flatMap(([name, values]) => {
        const value = values[random(values.length + 1)]
        return name === '$key' || value === undefined ? [] : [[name, value]]
      }),
    ),
  }))
}

/** Returns the texts that a file compares attributes with, for pools of values. */
export function classesOf({ report }: ImportResult): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const flag of report.flags) counts[flag.class] = (counts[flag.class] ?? 0) + 1
  return counts
}

/** Returns the keys of the flags of an environment that are translated exactly. */
export const exactKeys = ({ report }: ImportResult, environment?: string): readonly string[] =>
  report.flags
    .filter(
      (flag) => flag.class === 'exact' && (environment === undefined || flag.environment === environment),
    )
    .map(({ key }) => key)

export type { JsonValue }
