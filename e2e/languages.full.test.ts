import { isDeepStrictEqual } from 'node:util'
import { createFlagSet, type FlagSet } from '@burgee/evaluation'
import { afterAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase, toUrl } from '../packages/server/test/harness/database.ts'
import { callApi, environmentOf, putFlag } from './harness/call-api.ts'
import { type ConformanceFlag, conformanceFlags } from './harness/conformance-environment.ts'
import { createStage } from './harness/open-stage.ts'
import { type Command, missingRegistry, runCommand } from './harness/run-language.ts'
import { skipBecause } from './harness/skip-because.ts'
import { SDK_KEY, startServer } from './harness/start-server.ts'
import { type ComparedResult, type ExpectedResult, LANGUAGES, type Language } from './languages/languages.ts'

/** A first build of the Rust program takes some minutes on a busy machine with two cores. */
const PATIENCE_MS = 600_000

type EvaluatedType = 'boolean' | 'string' | 'integer' | 'float' | 'object'

interface Evaluation {
  readonly key: string
  readonly type: EvaluatedType
  readonly default: unknown
  readonly context: Readonly<Record<string, string | number | boolean>>
}

const DEFAULTS: Readonly<Record<EvaluatedType, unknown>> = {
  boolean: false,
  string: 'fallback',
  integer: 7,
  float: 0.25,
  object: { fallback: true },
}

const CONTEXTS = [
  {},
  { targetingKey: 'user-1', email: 'ballmer@none.com', age: 65, customer: false },
  { targetingKey: 'user-1', email: 'ballmer@macrosoft.com', age: 65, customer: false },
]

/** Every flag in every context, an unknown flag, and flags of another type. */
const EVALUATIONS: readonly Evaluation[] = CONTEXTS.flatMap((context) => [
  ...conformanceFlags().map((flag) => evaluationOf(flag.key, typeOf(flag), context)),
  ...(['boolean', 'string', 'integer', 'float', 'object'] as const).map((type) =>
    evaluationOf('unknown-flag', type, context),
  ),
  evaluationOf('wrong-flag', 'boolean', context),
  evaluationOf('boolean-flag', 'string', context),
  evaluationOf('boolean-flag', 'integer', context),
  evaluationOf('boolean-flag', 'float', context),
  evaluationOf('boolean-flag', 'object', context),
])

/** One server, and the builds of all programs at once: they wait for registries as much as for processors. */
const stage = createStage()
let database: TestDatabase | undefined
let opened: ReturnType<typeof open> | undefined
afterAll(async () => {
  await stage.close()
  await database?.drop()
})

describe('the official OFREP providers of other languages get what a local evaluation gives', () => {
  test.for(LANGUAGES)('$name: 0 differences', { timeout: PATIENCE_MS }, async (language, context) => {
    opened ??= open()
    const { environment, programs } = opened
    const program = await programs.get(language)
    if (program?.missing !== undefined) skipBecause(context, program.missing)
    if (program?.command === undefined) throw new Error(program?.failure)
    const { expected, input } = await environment
    const { errors, isOk, output } = await runCommand(stage, program.command, input)
    expect(isOk, errors).toBe(true)
    const results: ComparedResult[] = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const differences = EVALUATIONS.flatMap(({ context: given, key }, at) => {
      const [wanted, result] = [expected[at], results[at]]
      return wanted && result
        ? compare(language, wanted, result).map((each) => `${key} ${JSON.stringify(given)} ${each}`)
        : []
    })
    printLacks(language, expected)
    expect(results).toHaveLength(EVALUATIONS.length)
    expect(differences).toEqual([])
    process.stdout.write(
      `${language.name}: ${results.length} evaluations, ${differences.length} differences\n`,
    )
  })
})

function open() {
  const programs = new Map(LANGUAGES.map((language) => [language, prepare(language)]))
  return { environment: openEnvironment(), programs }
}

interface Program {
  readonly command?: Command
  /** Why the program cannot be built here, through no fault of the product. */
  readonly missing?: string
  readonly failure?: string
}

/** Builds the program of a language, and returns how it is run. */
async function prepare(language: Language): Promise<Program> {
  const folder = stage.folder(language.name)
  const toolchain = await runCommand(stage, { ...language.toolchain, cwd: folder })
  if (!toolchain.isOk) return { missing: `${language.toolchain.program} is not installed` }
  for (const command of language.prepare(folder)) {
    const prepared = await runCommand(stage, command)
    if (prepared.isOk) continue
    const reason = missingRegistry(prepared)
    if (reason !== null) return { missing: `its packages cannot be fetched: ${reason}` }
    return { failure: `${prepared.errors}\n${prepared.output}` }
  }
  return { command: language.run(folder) }
}

/** Starts a server with the conformance environment. */
async function openEnvironment() {
  database = await createTestDatabase()
  const { url } = await startServer(stage, { databaseUrl: toUrl(database.connection) })
  const environment_id = await environmentOf(url)
  for (const flag of conformanceFlags()) await putFlag(url, environment_id, flag)
  const flags = createFlagSet((await callApi(url, 'GET', '/flags/snapshot')).body)
  return {
    expected: EVALUATIONS.map((evaluation) => evaluateLocally(flags, evaluation)),
    input: JSON.stringify({ url, sdkKey: SDK_KEY, evaluations: EVALUATIONS }),
  }
}

/** Prints how many results the provider cannot represent, and why. */
function printLacks({ lacks, name }: Language, expected: readonly ExpectedResult[]): void {
  for (const { fields, fits, reason } of lacks)
    process.stdout.write(
      `${name}: ${expected.filter(fits).length} results without ${fields.join(', ')}: ${reason}\n`,
    )
}

/** Returns the type that a program requests. */
function typeOf({ flag_type, value_schema, variant_names }: ConformanceFlag): EvaluatedType {
  if (flag_type !== 'json') return flag_type
  if (value_schema !== undefined) return 'float'
  return Object.values(Object(variant_names)).every((value) => typeof value === 'boolean')
    ? 'boolean'
    : 'object'
}

function evaluationOf(key: string, type: EvaluatedType, context: Evaluation['context']): Evaluation {
  return { key, type, default: DEFAULTS[type], context }
}

function evaluateLocally(
  flags: FlagSet,
  { context, default: otherwise, key, type }: Evaluation,
): ExpectedResult {
  const { targetingKey = null, ...attributes } = context
  const userKey = targetingKey === null ? null : String(targetingKey)
  const { reason, value, variant = null } = flags.resolve(key, userKey, attributes)
  const failed = (errorCode: string) => ({
    ...{ type, value: otherwise, variant: null, reason: 'ERROR', errorCode, isCodeDefault: false },
  })
  if (reason === 'FLAG_NOT_FOUND') return failed('FLAG_NOT_FOUND')
  if (value === null) return { type, value: otherwise, variant, reason, errorCode: null, isCodeDefault: true }
  if (typeof value !== TYPES[type]) return failed('TYPE_MISMATCH')
  return { type, value, variant, reason, errorCode: null, isCodeDefault: false }
}

const TYPES: Readonly<Record<EvaluatedType, string>> = {
  boolean: 'boolean',
  string: 'string',
  integer: 'number',
  float: 'number',
  object: 'object',
}

/** Describes the fields that differ, where the provider can represent them. */
function compare({ lacks }: Language, wanted: ExpectedResult, result: ComparedResult): string[] {
  const ignored = lacks.filter(({ fits }) => fits(wanted)).flatMap(({ fields }) => fields)
  const fields = (['value', 'variant', 'reason', 'errorCode'] as const).filter(
    (field) => !ignored.includes(field),
  )
  // Programs leave out what is empty, or print it as null or an empty text.
  const differing = fields.filter((field) => !isDeepStrictEqual(wanted[field] ?? '', result[field] ?? ''))
  return differing.map(
    (field) => `${field}: ${JSON.stringify(wanted[field])} became ${JSON.stringify(result[field])}`,
  )
}
