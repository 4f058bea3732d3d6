import { fileURLToPath } from 'node:url'
import type {
  Attributes as AttributesOfEvaluation,
  EvaluatedFlag,
  Evaluation as EvaluationOfEvaluation,
} from '@burgee/evaluation'
import ts from 'typescript'
import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  type Attributes,
  type Client,
  createClient,
  type Evaluation,
  type Flag,
  type JsonValue,
} from '../../src/index.ts'

describe('the types of the SDK', () => {
  it('the types of the SDK equal those of the evaluation', () => {
    expectTypeOf<Flag>().toEqualTypeOf<EvaluatedFlag>()
    expectTypeOf<Evaluation>().toEqualTypeOf<EvaluationOfEvaluation>()
    expectTypeOf<Attributes>().toEqualTypeOf<AttributesOfEvaluation>()
  })

  it('the type of a variant is that of its fallback', () => {
    const { getVariant } = createClient({ url: 'http://127.0.0.1', sdkKey: 'sk_live_x' })

    expectTypeOf(getVariant('a', 'u', {}, 'blue')).toEqualTypeOf<string>()
    expectTypeOf(getVariant('a', 'u', {}, 5)).toEqualTypeOf<number>()
    expectTypeOf(getVariant('a', 'u', {}, null)).toEqualTypeOf<null>()
    expectTypeOf(getVariant('a', 'u')).toEqualTypeOf<JsonValue>()
    expectTypeOf<Client['isEnabled']>().returns.toEqualTypeOf<boolean>()
  })
})

/** Compiles a program that declares its flags, and returns what the compiler refuses, by line. */
function compileTyped(): string[] {
  const file = fileURLToPath(new URL('./support/typed-flags.fixture.ts', import.meta.url))
  const program = ts.createProgram([file], {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
    types: [],
    customConditions: ['burgee-source'],
    allowImportingTsExtensions: true,
  })
  return ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ file: source, start = 0, messageText }) =>
        `${source?.text.slice(0, start).split('\n').length} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    )
}

it('a program with declared flags compiles, and a wrong key, type or value does not', () => {
  // Every wrong line of the fixture has a @ts-expect-error, which is an error where the line is right.
  expect(compileTyped()).toEqual([])
})
