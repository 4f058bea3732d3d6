import type { EvaluationDetails, FlagValue, JsonValue } from '@openfeature/core'
import type { Hook } from '@openfeature/server-sdk'
import { expect } from 'vitest'
import type { Scenario, Step } from './load-scenarios.ts'

type Context = Record<string, string | number | boolean | null | Date>
type FlagType = 'boolean' | 'string' | 'number' | 'object'
type Details = EvaluationDetails<FlagValue>

export interface Evaluation {
  readonly type: FlagType
  readonly key: string
  readonly fallback: JsonValue
  readonly context: Context
  readonly hooks: Hook[]
}

/** The states of a provider that the suites name. */
export type ProviderState = 'stable' | 'not ready' | 'error' | 'fatal' | 'stale'

/** One OpenFeature SDK with one provider. */
export interface Runner {
  /** Brings a provider into a state. */
  provide(state: ProviderState): Promise<void>
  evaluate(evaluation: Evaluation): Details | Promise<Details>
  status(): string
  /** Ends the provider of the scenario. */
  end(): Promise<void>
}

interface World extends Evaluation {
  readonly context: Context
  details: Details | null
  calls: { stage: string; details?: Details }[]
  contextBefore: string
}

type Run = (world: World, found: readonly string[], step: Step, runner: Runner) => unknown

/** Runs the steps of a scenario. Throws for a step that it does not know. */
export async function runScenario(runner: Runner, { steps }: Scenario): Promise<void> {
  let world: World = {
    ...{ type: 'boolean', key: '', fallback: false, context: {}, hooks: [] },
    ...{ details: null, calls: [], contextBefore: '' },
  }
  for (const step of steps) {
    const known = STEPS.flatMap(([pattern, run]) => {
      const found = pattern.exec(step.text)
      return found ? [{ run, groups: found.slice(1) }] : []
    })
    const [match] = known
    if (!match || known.length > 1) throw new Error(`${known.length} meanings of the step: ${step.text}`)
    const next = await match.run(world, match.groups, step, runner)
    if (isWorld(next)) world = next
  }
}

/** A step that checks something returns what `expect` does. */
const isWorld = (next: unknown): next is World =>
  typeof next === 'object' && next !== null && Object.hasOwn(next, 'contextBefore')

const STEPS: readonly [RegExp, Run][] = [
  [
    /^a (stable|not ready|error|fatal|stale) provider$/,
    (_, [state], __, runner) => runner.provide(state as ProviderState),
  ],
  [
    /^a (\w+)-flag with key "([^"]*)" and a fallback value "(.*)"$/,
    (world, [type = '', key = '', text = '']) => ({
      ...world,
      type: typeOf(type),
      key,
      fallback: parse(type, text),
    }),
  ],
  [
    /^a context containing a key "([^"]*)", with type "(\w+)" and with value "([^"]*)"$/,
    (world, [key = '', type = '', text = '']) => {
      world.context[key] = parse(type, text) as string
    },
  ],
  [
    /^a context containing a key "([^"]*)" with null value$/,
    (world, [key = '']) => {
      world.context[key] = null
    },
  ],
  [
    /^an evaluation context with modifiable data$/,
    (world) => {
      Object.assign(world.context, { email: 'ballmer@macrosoft.com', age: 65 })
      return { ...world, contextBefore: JSON.stringify(world.context) }
    },
  ],
  [
    /^(?:a client with added hook|evaluation options containing specific hooks)$/,
    (world) => ({ ...world, hooks: [hookOf(world)] }),
  ],
  [
    /^the flag was evaluated with details(?: asynchronously| using the evaluation options)?$/,
    async (world, _, __, runner) => {
      world.details = await runner.evaluate(world)
    },
  ],
  [/^the evaluation should complete without blocking$/, (world) => expect(world.details).not.toBeNull()],
  [
    /^the resolved details value should be "(.*)"$/,
    (world, [text = '']) => expect(world.details?.value).toEqual(parse(world.type, text)),
  ],
  [/^the reason should be "(\w+)"$/, (world, [reason]) => expect(world.details?.reason).toBe(reason)],
  [/^the error-code should be "(\w+)"$/, (world, [code]) => expect(world.details?.errorCode).toBe(code)],
  [/^the flag key should be "([^"]*)"$/, (world, [key]) => expect(world.details?.flagKey).toBe(key)],
  [/^the variant should be "([^"]*)"$/, (world, [variant]) => expect(world.details?.variant).toBe(variant)],
  [
    /^the provider status should be "(\w+)"$/,
    (_, [status], __, runner) => expect(runner.status()).toBe(status),
  ],
  [
    /^the resolved metadata should contain$/,
    (world, _, { rows }) =>
      expect(world.details?.flagMetadata).toMatchObject(
        Object.fromEntries(
          rows.map(({ key = '', metadata_type = '', value = '' }) => [key, parse(metadata_type, value)]),
        ),
      ),
  ],
  [/^the resolved metadata is empty$/, (world) => expect(world.details?.flagMetadata).toEqual({})],
  [
    /^the "(\w+)" hook should have been executed$/,
    (world, [stage]) => expect(stagesOf(world)).toContain(stage),
  ],
  [
    /^the "([^"]+)" hooks should be called with evaluation details$/,
    (world, [stages = ''], { rows }) => {
      for (const stage of stages.split(', ')) checkDetails(world, stage, rows)
    },
  ],
  [
    /^the specified hooks should execute during evaluation$/,
    (world) => expect(stagesOf(world)).toContain('finally'),
  ],
  [
    /^the hook order should be maintained$/,
    (world) => expect(stagesOf(world)).toEqual(['before', 'after', 'finally']),
  ],
  [
    /^the original evaluation context should remain unmodified$/,
    (world) => expect(JSON.stringify(world.context)).toBe(world.contextBefore),
  ],
  [
    /^the evaluation details should be immutable$/,
    (world) => expect(world.details?.flagMetadata).toSatisfy(Object.isFrozen),
  ],
]

const stagesOf = ({ calls }: World) => calls.map(({ stage }) => stage)

function hookOf({ calls }: World): Hook {
  return {
    before: () => {
      calls.push({ stage: 'before' })
    },
    after: (_, details) => {
      calls.push({ stage: 'after', details })
    },
    error: () => {
      calls.push({ stage: 'error' })
    },
    finally: (_, details) => {
      calls.push({ stage: 'finally', details })
    },
  }
}

function checkDetails(world: World, stage: string, rows: Step['rows']): void {
  const details = world.calls.find((call) => call.stage === stage)?.details
  for (const { data_type = '', key = '', value = '' } of rows) {
    const name = key.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
    const actual = (details as unknown as Record<string, unknown> | undefined)?.[name]
    expect([stage, key, actual ?? null]).toEqual([
      stage,
      key,
      value === 'null' ? null : parse(data_type, value),
    ])
  }
}

function typeOf(name: string): FlagType {
  const type = name.toLowerCase()
  return type === 'integer' || type === 'float' ? 'number' : (type as FlagType)
}

/** Reads a value of the suites, where quotes inside JSON have a backslash. */
function parse(type: string, text: string): JsonValue {
  switch (type.toLowerCase()) {
    case 'boolean':
      return text === 'true'
    case 'string':
      return text
    case 'object':
      return JSON.parse(text.replaceAll(String.raw`\"`, '"')) as JsonValue
    default:
      return Number(text)
  }
}
