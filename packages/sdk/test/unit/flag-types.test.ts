import type {
  Attributes as AttributesOfEvaluation,
  EvaluatedFlag,
  Evaluation as EvaluationOfEvaluation,
} from '@burgee/evaluation'
import { describe, expectTypeOf, it } from 'vitest'
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
    expectTypeOf(getVariant('a', 'u')).toEqualTypeOf<JsonValue>()
    expectTypeOf<Client['isEnabled']>().returns.toEqualTypeOf<boolean>()
  })
})
