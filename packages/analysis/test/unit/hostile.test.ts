import { createFlagSet } from '@burgee/evaluation'
import { expect, test } from 'vitest'
import { aFlag, aRule, aStringFlag, needs } from '../../../evaluation/test/unit/builders.ts'
import { constantOf, pairsOf } from '../../src/index.ts'

const LIMITS = { time: 200 }

/** Ten levels, each of which names the next one many times. */
const levels = Array.from({ length: 10 }, (_, index) =>
  aFlag({
    key: index === 0 ? 'flag' : `level-${index}`,
    prerequisites: Array.from({ length: 30 }, () => needs(`level-${index + 1}`)),
  }),
)
const last = aFlag({ key: 'level-10' })
const manyRules = aStringFlag({
  rules: Array.from({ length: 20_000 }, (_, index) => aRule({ attribute: `a${index}`, variant: 'on' })),
})
const values = Array.from({ length: 20_000 }, (_, index) => `value-${index}`)

test.each([
  ['prerequisites that repeat', [...levels, last]],
  ['rules without number', [manyRules]],
  ['values without number', [aStringFlag({ rules: [aRule({ values, variant: 'on' })] })]],
  [
    'texts without number',
    [aStringFlag({ rules: [aRule({ operator: 'contains', values, variant: 'on' })] })],
  ],
])('%s end within the limits', (_name, flags) => {
  const set = createFlagSet(flags)
  expect(constantOf(set, 'flag', LIMITS).verdict).not.toBe('varies')
  expect(pairsOf(set, set, 'flag', 'ann', LIMITS).pairs.length).toBeLessThan(2)
})
