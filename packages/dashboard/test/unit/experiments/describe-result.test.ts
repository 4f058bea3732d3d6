import type { ExperimentResults } from '@burgee/contract'
import { describe, expect, test } from 'vitest'
import {
  describeChance,
  formatPValue,
} from '../../../src/features/experiments/descriptions/describe-chance.ts'
import { describeResult } from '../../../src/features/experiments/descriptions/describe-result.ts'

type Variant = ExperimentResults['variants'][number]
type Status = ExperimentResults['experiment']['status']

const CONTROL: Variant = {
  variant: 'blue',
  exposed: 1_000,
  converted: 100,
  conversion_rate: 0.1,
  is_control: true,
  uplift: null,
  z_score: null,
  p_value: null,
  significant: false,
  confidence_interval: null,
  sequential: null,
}
const BETTER: Variant = {
  variant: 'green',
  exposed: 1_000,
  converted: 112,
  conversion_rate: 0.112,
  is_control: false,
  uplift: 0.12,
  z_score: 2.17,
  p_value: 0.03,
  significant: true,
  confidence_interval: { low: 0.002, high: 0.022 },
  sequential: { p_value: 0.01, low: 0.001, high: 0.023 },
}
const UNDECIDED: Variant = {
  ...BETTER,
  p_value: 0.4,
  significant: false,
  confidence_interval: { low: -0.01, high: 0.034 },
  sequential: { p_value: 1, low: -0.02, high: 0.044 },
}

interface Given extends Partial<Omit<ExperimentResults, 'experiment'>> {
  readonly status?: Status
  readonly wantedControl?: string | null
}

function resultsOf({ status = 'running', wantedControl = 'blue', ...results }: Given): ExperimentResults {
  const variants = results.variants ?? [CONTROL, BETTER]
  return {
    experiment: {
      id: '9e2b7d40-6c15-4a8f-b3d1-0f7e52c94a68',
      environment_id: '9e2b7d40-6c15-4a8f-b3d1-0f7e52c94a69',
      key: 'button-color-sales',
      name: 'Which colour sells more',
      description: null,
      flag_key: 'button-color',
      goal_event_key: 'order-placed',
      control_variant: wantedControl,
      status,
      created_at: '2026-02-20T08:00:00.000Z',
    },
    control_variant: variants[0]?.variant ?? null,
    total_exposed: variants.reduce((sum, { exposed }) => sum + exposed, 0),
    total_converted: variants.reduce((sum, { converted }) => sum + converted, 0),
    variants,
    sample_ratio_mismatch: { p_value: 0.4, mismatch: false },
    power: { required_per_variant: 11_000 },
    ...results,
  }
}

const wordsOf = (given: Given) => describeResult(resultsOf(given))
const comparisonOf = (variant: Partial<Variant>, control: Partial<Variant> = {}) =>
  wordsOf({
    variants: [
      { ...CONTROL, ...control },
      { ...BETTER, ...variant },
    ],
  }).comparisons[0]

describe('the verdict', () => {
  test('a variant that the always-valid test finds better has won, and one may stop', () => {
    const { tone, headline, explanation } = wordsOf({})

    expect(tone).toBe('better')
    expect(headline).toBe('“green” converts better than “blue”')
    expect(explanation).toBe(
      '“green” converts 12% more than “blue”. This holds however often you looked. You may stop here.',
    )
  })

  test('of several better variants the one that converts most is explained', () => {
    const more: Variant = { ...BETTER, variant: 'red', conversion_rate: 0.13, uplift: 0.3 }

    const { headline, explanation, severalNote } = wordsOf({ variants: [CONTROL, BETTER, more] })

    expect(headline).toBe('“red” and “green” convert better than “blue”')
    expect(explanation).toContain('“red” converts 30% more than “blue”')
    expect(severalNote).toContain('Each variant is compared with “blue” by itself')
  })

  test('a worse variant is named where none is better', () => {
    const worse: Variant = {
      ...BETTER,
      conversion_rate: 0.09,
      uplift: -0.1,
      sequential: { p_value: 0.001, low: -0.018, high: -0.002 },
    }

    const { tone, headline, comparisons } = wordsOf({ variants: [CONTROL, worse] })

    expect(tone).toBe('worse')
    expect(headline).toBe('“green” converts worse than “blue”')
    expect(comparisons[0]?.anyTime).toBe(
      'However often you looked: “green” is worse than “blue”, by at least 0.2 percentage points.',
    )
  })

  test('what is significant in one look only is not called certain', () => {
    const { tone, headline, explanation } = wordsOf({
      variants: [CONTROL, { ...BETTER, sequential: { p_value: 0.2, low: -0.002, high: 0.026 } }],
    })

    expect(tone).toBe('undecided')
    expect(headline).toBe('“green” looks better than “blue”, but it is not certain')
    expect(explanation).toContain('(p\u00a0=\u00a00.03) if you had planned to look once')
  })

  test('no difference is no proof of equality, while it runs and when it is completed', () => {
    const running = wordsOf({ variants: [CONTROL, UNDECIDED] })
    const completed = wordsOf({ variants: [CONTROL, UNDECIDED], status: 'completed' })

    expect(running.headline).toBe('No winner yet')
    expect(completed.headline).toBe('No difference was found')
    expect(completed.explanation).toContain('That does not show that they are equal')
  })

  test('a completed experiment has no advice to stop', () => {
    expect(wordsOf({ status: 'completed' }).explanation).not.toContain('You may stop')
  })

  test('one may not stop while another variant is undecided', () => {
    const worse: Variant = {
      ...BETTER,
      variant: 'red',
      conversion_rate: 0.05,
      uplift: -0.5,
      sequential: { p_value: 0.001, low: -0.09, high: -0.01 },
    }

    expect(wordsOf({ variants: [CONTROL, UNDECIDED, worse] })).toMatchObject({
      headline: '“red” converts worse than “blue”',
      explanation:
        '“red” converts 50% less than “blue”. This holds however often you looked. “green” is not decided yet.',
    })
  })

  test('of two better variants none is called the best, since they are not compared with each other', () => {
    const more: Variant = { ...BETTER, variant: 'red', conversion_rate: 0.13, uplift: 0.3 }

    expect(wordsOf({ variants: [CONTROL, BETTER, more] }).explanation).toContain(
      'Which of them is best was not tested',
    )
  })

  test('a significant look at a handful of users names no favourite', () => {
    const early: Variant = { ...BETTER, sequential: null }
    const words = wordsOf({ variants: [CONTROL, early] })

    expect(words.headline).toBe('Too early to tell')
    expect(words.comparisons[0]?.chance).toContain('With so few users that is a rough guide')
    expect(wordsOf({ variants: [CONTROL, early], status: 'completed' }).headline).toBe(
      'Too few users to tell',
    )
  })

  test('of several that are significant in one look the surest is named', () => {
    const sequential = { p_value: 0.2, low: -0.002, high: 0.026 }
    const one: Variant = { ...BETTER, sequential }
    const surer: Variant = { ...BETTER, variant: 'red', p_value: 0.01, sequential }

    expect(wordsOf({ variants: [CONTROL, one, surer] }).headline).toContain('“red” looks better')
  })

  test('while the always-valid test reveals nothing of any variant it is too early', () => {
    const early = { ...UNDECIDED, sequential: null }

    expect(wordsOf({ variants: [CONTROL, early] }).headline).toBe('Too early to tell')
  })

  test('a broken split comes before everything else, and then nothing is decided', () => {
    const words = wordsOf({ sample_ratio_mismatch: { p_value: 1e-16, mismatch: true } })

    expect(words.tone).toBe('broken')
    expect(words.headline).toBe('Do not use these numbers: the split is broken')
    expect(words.split.state).toBe('bad')
    expect(words.split.text).toContain('p\u00a0<\u00a00.0001')
    expect(words.comparisons[0]).toMatchObject({
      verdict: 'void',
      difference: expect.stringMatching(/^As reported: “green”/),
      anyTime: 'No verdict: the split of the users is broken.',
      chance: '',
      range: '',
    })
    expect(words.power).toBeNull()
  })

  test('without data it waits for the first user', () => {
    const words = wordsOf({ variants: [], control_variant: null, sample_ratio_mismatch: null, power: null })

    expect(words).toEqual({
      tone: 'waiting',
      headline: 'Waiting for the first user',
      explanation:
        'No user with a key has seen button-color yet. Users count from the first value that they see.',
      controlNote: null,
      comparisons: [],
      severalNote: null,
      split: {
        state: 'open',
        text: 'Not checked: the flag does not have two weighted values, or no user has seen one of them first.',
      },
      power: null,
    })
  })

  test('with one variant there is nothing to compare', () => {
    const words = wordsOf({ variants: [CONTROL], power: null })

    expect(words.headline).toBe('Only “blue” has been seen so far')
    expect(words.comparisons).toEqual([])
    expect(words.power).toBeNull()
  })

  test('without conversions the goal is named', () => {
    const nobody = { converted: 0, conversion_rate: 0 }
    const none: Variant = {
      ...BETTER,
      ...nobody,
      uplift: null,
      z_score: null,
      p_value: null,
      significant: false,
      confidence_interval: null,
      sequential: null,
    }

    const { headline, explanation } = wordsOf({ variants: [{ ...CONTROL, ...nobody }, none], power: null })

    expect(headline).toBe('No users have reached the goal yet')
    expect(explanation).toContain('2,000 users saw the flag; none of them reached order-placed')
  })
})

describe('the control', () => {
  test('shows nothing where it is the chosen one', () => {
    expect(wordsOf({}).controlNote).toBeNull()
  })

  test('that was not chosen is the value that most users saw', () => {
    expect(wordsOf({ wantedControl: null }).controlNote).toBe(
      'No control was chosen: the others are compared with “blue”, the value that most users saw first.',
    )
  })

  test('that nobody has seen is replaced until someone does', () => {
    expect(wordsOf({ wantedControl: 'grey' }).controlNote).toContain(
      'No user has seen the control “grey” yet',
    )
  })
})

describe('a comparison', () => {
  test('states how much more, how likely by chance, and within which range', () => {
    expect(comparisonOf({})).toEqual({
      variant: 'green',
      verdict: 'better',
      difference: '“green” converts 12% more than “blue”: 11.2% of its users, against 10%.',
      chance:
        'If there were no difference, one at least this large would appear in 3 of 100 experiments (p\u00a0=\u00a00.03). That is significant if you decided beforehand to look once, now.',
      range: 'For this one look, the true difference is probably between +0.2 and +2.2 percentage points.',
      anyTime: 'However often you looked: “green” is better than “blue”, by at least 0.1 percentage points.',
    })
  })

  test('without an uplift there is no percentage, since the control converted nobody', () => {
    const difference = comparisonOf(
      { uplift: null, conversion_rate: 0.031 },
      { converted: 0, conversion_rate: 0 },
    )?.difference

    expect(difference).toBe(
      '“green” converts 3.1% of its users, “blue” none so far. There is no percentage to give until the control converts someone.',
    )
  })

  test('where neither converted anyone, that is what it states', () => {
    const nobody = { converted: 0, conversion_rate: 0 }
    const words = comparisonOf({ ...nobody, uplift: null, p_value: null, z_score: null }, nobody)

    expect(words?.difference).toContain('Neither “green” nor “blue” has converted anyone so far')
    expect(words?.chance).toBe('No test is possible yet, since no one has converted in both.')
  })

  test('where everyone converted, that is why there is no test', () => {
    const everyone = { converted: 1_000, conversion_rate: 1 }
    const words = comparisonOf(
      { ...everyone, uplift: 0, p_value: null, z_score: null, confidence_interval: null, sequential: null },
      everyone,
    )

    expect(words?.difference).toBe(
      '“green” converts just as many of its users as “blue”: 100% of its users, against 100%.',
    )
    expect(words?.chance).toBe('No test is possible yet, since everyone has converted in both.')
    expect(words?.range).toBe('No range can be given while each variant converts either everyone or no one.')
    expect(words?.anyTime).toContain('Too early to look')
    expect(words?.verdict).toBe('early')
  })

  test('less is described as less, and a range around none states it', () => {
    const words = comparisonOf({ ...UNDECIDED, uplift: -0.044, conversion_rate: 0.0956 })

    expect(words?.difference).toContain('“green” converts 4.4% less than “blue”')
    expect(words?.chance).toContain('40 of 100 experiments (p\u00a0=\u00a00.4). That is not significant.')
    expect(words?.range).toBe(
      'For this one look, the true difference is probably between −1 and +3.4 percentage points: there may be none at all.',
    )
    expect(words?.anyTime).toBe(
      'You may look at any time: nothing is decided yet. The true difference is probably between −2 and +4.4 percentage points.',
    )
  })

  test('more than tenfold is described as how many times as many', () => {
    expect(comparisonOf({ uplift: 12.2, conversion_rate: 0.99 })?.difference).toContain(
      '“green” converts 13 times as many of its users as “blue”',
    )
  })

  test('strange values are named so that they cannot disturb the sentence', () => {
    expect(comparisonOf({ variant: '' })?.difference).toContain('the empty text converts')
    expect(comparisonOf({ variant: `a\n${'b'.repeat(9_000)}` })?.difference).toMatch(/^“a b{37}…” converts/)
    expect(comparisonOf({ variant: 'ירוק' })?.difference).toContain('“\u2068ירוק\u2069” converts')
    expect(comparisonOf({ variant: '<script>alert(1)</script>' })?.difference).toContain(
      '“<script>alert(1)</script>” converts',
    )
  })
})

describe('the check of the split', () => {
  test('states that it fits, and how well', () => {
    expect(wordsOf({}).split).toEqual({
      state: 'good',
      text: 'Users came to the variants by the weights of the flag (p\u00a0=\u00a00.4).',
    })
  })
})

describe('a split that does not fit well', () => {
  test('is not called by the weights, though it is not called broken either', () => {
    const { split, tone } = wordsOf({ sample_ratio_mismatch: { p_value: 0.0004, mismatch: false } })

    expect(tone).toBe('better')
    expect(split.state).toBe('open')
    expect(split.text).toContain('in other proportions than')
  })
})

describe('the number of users needed', () => {
  test('is compared with the smaller of the two variants that differ most', () => {
    expect(wordsOf({ variants: [{ ...CONTROL, exposed: 900 }, BETTER] }).power).toEqual({
      state: 'open',
      text: 'About 11,000 users per variant are needed to find a difference like that of “green” in one planned look, four times out of five. The smaller of the two has 900, so about 10,100 more. While the difference is mostly chance, so is this number.',
    })
  })

  test('states that as many are there, and what the number is worth', () => {
    expect(wordsOf({ power: { required_per_variant: 800 } }).power).toMatchObject({
      state: 'good',
      text: expect.stringContaining('There are at least 1,000 in each.'),
    })
  })

  test('is not known while the variants convert alike', () => {
    expect(wordsOf({ power: null }).power?.text).toContain('the variants convert alike so far')
  })
})

describe('chance', () => {
  test.each([
    [1e-198, 'fewer than 1 of 1,000 experiments', 'p\u00a0<\u00a00.0001'],
    [0.0007, 'fewer than 1 of 1,000 experiments', 'p\u00a0=\u00a00.0007'],
    [0.0053, '5 of 1,000 experiments', 'p\u00a0=\u00a00.0053'],
    [0.0097, '1 of 100 experiments', 'p\u00a0=\u00a00.0097'],
    [0.03, '3 of 100 experiments', 'p\u00a0=\u00a00.03'],
    [0.04999, 'just under 5 of 100 experiments', 'p\u00a0=\u00a00.04999'],
    [0.05, '5 of 100 experiments', 'p\u00a0=\u00a00.05'],
    [0.0501, 'just over 5 of 100 experiments', 'p\u00a0=\u00a00.05'],
    [0.446, '45 of 100 experiments', 'p\u00a0=\u00a00.45'],
    [1, 'nearly every experiment', 'p\u00a0=\u00a01'],
  ])('%d is told as "%s"', (p_value, words, short) => {
    expect(describeChance(p_value)).toBe(words)
    expect(formatPValue(p_value)).toBe(short)
  })
})
