import { readFileSync } from 'node:fs'
import type { FlagInput, Segment, TargetingRule } from '@burgee/contract'
import { createFlagSet, type FlagSet, listRequirements } from '@burgee/evaluation'
import { expect } from 'vitest'
import { expandRules, toRule } from '../../../server/src/targeting/rules/index.ts'
import type { EngineUser } from '../../src/engines/engine.ts'
import type { VerifyInput } from '../../src/engines/verify-import.ts'
import {
  ENGINES,
  type ImportOptions,
  type ImportResult,
  type ImportSystem,
  importFiles,
  type VerifiedFlag,
  verifyImport,
} from '../../src/index.ts'

/** Reads a file of another service. */
export const dataFile = (path: string): unknown =>
  JSON.parse(readFileSync(new URL(`../samples/${path}`, import.meta.url), 'utf8'))

/** Imports the content of one or more files at a fixed time. */
export const importData = (
  system: ImportSystem,
  data: readonly unknown[],
  options: ImportOptions = {},
): ImportResult => importFiles(system, filesOf(data), { nowMs: 0, ...options })

const filesOf = (data: readonly unknown[]) =>
  data.map((content, index) => ({ name: `file-${index}`, data: content }))

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

/**
 * Evaluates every exact flag with the other service's engine and with Burgee, for users whose attributes
 * are in the pools. Returns the flags with differences.
 */
export async function differences(
  system: ImportSystem,
  data: readonly unknown[],
  { count, pools }: Comparison,
): Promise<readonly VerifiedFlag[]> {
  const files = filesOf(data)
  const imported = importData(system, data)
  const drawn = { all: new Map(Object.entries(pools)), ofFlags: [] }
  const verified = await verifyFiles(system, { count, files, imported, pools: drawn })
  const agrees = ENGINES[system]?.agrees ?? (() => true)
  const compared = imported.report.flags.filter((flag) => flag.class === 'exact' && agrees(flag))
  expect(verified.map(({ key }) => key)).toEqual(compared.map(({ key }) => key))
  return verified.filter((flag) => flag.differences > 0)
}

interface Comparison {
  /** The number of users. */
  readonly count: number
  /** The values of attributes, and of `$user_key`. */
  readonly pools: Readonly<Record<string, readonly EngineUser['attributes'][string][]>>
}

/** Compares an import with the service's engine, which is installed here. */
export async function verifyFiles(
  system: ImportSystem,
  input: Pick<VerifyInput, 'count' | 'files' | 'imported' | 'pools'>,
): Promise<readonly VerifiedFlag[]> {
  const engine = ENGINES[system]
  if (!engine) throw new Error(`${system} has no engine.`)
  const { flags } = await verifyImport({
    ...{ ...input, engine, wanted: undefined, compile: compileEnvironment },
    load: (module) => import(module),
  })
  return flags
}

/** Returns the number of flags of each class. */
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
