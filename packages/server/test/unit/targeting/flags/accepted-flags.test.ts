import { createFlagSet, type EvaluatedFlag } from '@burgee/evaluation'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toWireFlag } from '../../../../src/targeting/flag-model/to-wire-flag.ts'
import { acceptFlag, acceptSegment } from '../../../harness/accept-input.ts'
import { flagInputs } from '../../../harness/flag-inputs.ts'

const { flagInput, segments } = flagInputs({ isSpoiled: true })
const attributes = fc.record({ plan: fc.constantFrom('pro', 18, true, null), age: fc.constantFrom('18', 1) })

const asJson = (given: unknown): unknown => JSON.parse(JSON.stringify(given))

describe('a flag and segments that the server accepts', () => {
  it('are never answered with ERROR by an evaluator, whatever the variants of the segments are', () => {
    let accepted = 0
    fc.assert(
      fc.property(flagInput, segments, attributes, (given, rulesOfSegments, user) => {
        const content = acceptFlag(given)
        if (!content) return
        accepted += 1
        const all = new Map(
          rulesOfSegments.flatMap((rules, at) => {
            const segment = acceptSegment(`s${at}`, rules)
            return segment ? [[`s${at}`, { rules: segment }] as const] : []
          }),
        )
        const sent = toWireFlag({ ...content, archived_at: null, revision: 1 }, all)
        const flags = createFlagSet([asJson(sent) as EvaluatedFlag])
        for (const userKey of ['ann', '', null]) {
          expect(flags.resolve('f', userKey, user).reason).not.toBe('ERROR')
        }
      }),
      { numRuns: 1_000 },
    )
    expect(accepted).toBeGreaterThan(150)
  })
})
