import { evaluated, rule, text } from './builders.mjs'

const inSegment = (segment_key, stated = {}) => ({ segment_key, ...stated })
/**
 * Builds a vector of a flag that names segments: the rules that the server sends for it, one evaluation, and
 * the result of this package.
 */
const viaSegments = (title, segments, stated, expanded, attributes = { it: 'a' }) => {
  const named = text(stated)
  const { expected } = evaluated(title, [{ ...named, rules: expanded }], 'ann', attributes)
  return { title, segments, flag: named, expanded, user_key: 'ann', attributes, expected }
}
/** References with an operator, as heads of rules or conditions. */
const within = (segment_key, stated = {}) => ({ segment_key, operator: 'in_segment', ...stated })
const outside = (segment_key, stated = {}) => ({ segment_key, operator: 'not_in_segment', ...stated })
const fits = { variant: 'fits' }
const older = { conditions: [{ attribute: 'age', operator: 'greater_than', values: ['17'] }] }

export const segments = {
  about: 'rules that name segments, and the rules that SDKs receive for them',
  vectors: [
  viaSegments('a segment becomes its rules', { s: [rule()] }, { rules: [inSegment('s')] }, [rule()]),
  viaSegments('the variant of the reference', { s: [rule()] }, { rules: [inSegment('s', fits)] }, [
    rule(fits),
  ]),
  viaSegments(
    'a variant of its own goes before that of the reference',
    { s: [rule({ variant: 'own' })] },
    { rules: [inSegment('s', fits)] },
    [rule({ variant: 'own' })],
  ),
  viaSegments('conditions are added', { s: [rule()] }, { rules: [inSegment('s', older)] }, [rule(older)]),
  viaSegments(
    'a variant of another type is left out',
    { s: [rule({ variant: true })] },
    { rules: [inSegment('s')] },
    [rule()],
  ),
  viaSegments(
    'and does not give way to the variant of the reference',
    { s: [rule({ variant: true })] },
    { rules: [inSegment('s', fits)] },
    [rule()],
  ),
  viaSegments(
    'the same for an integer flag',
    { s: [rule({ variant: 'a' }), rule({ values: ['b'], variant: 1.5 })] },
    { flag_type: 'integer', default_value: 1, disabled_value: 0, rules: [inSegment('s')] },
    [rule(), rule({ values: ['b'] })],
    { it: 'b' },
  ),
  viaSegments(
    'the same for a boolean flag',
    { s: [rule({ variant: 'a' })] },
    { flag_type: 'boolean', default_value: true, disabled_value: false, rules: [inSegment('s')] },
    [rule()],
  ),
  viaSegments(
    'a json flag takes every variant',
    { s: [rule({ variant: { a: [1] } })] },
    { flag_type: 'json', default_value: null, disabled_value: null, rules: [inSegment('s')] },
    [rule({ variant: { a: [1] } })],
  ),
  viaSegments('an unknown segment becomes nothing', {}, { rules: [inSegment('s'), rule(fits)] }, [
    rule(fits),
  ]),
  viaSegments(
    'segments in segments, and a cycle becomes nothing',
    { s: [inSegment('t', fits)], t: [inSegment('s'), rule()] },
    { rules: [inSegment('s')] },
    [rule(fits)],
  ),
    viaSegments(
      'a condition on a segment, in',
      { s: [rule(), rule({ values: ['b'] })] },
      { rules: [rule({ attribute: 'plan', values: ['pro'], conditions: [within('s')], ...fits })] },
      [
        rule({ attribute: 'plan', values: ['pro'], conditions: [rule()], ...fits }),
        rule({ attribute: 'plan', values: ['pro'], conditions: [rule({ values: ['b'] })], ...fits }),
      ],
      { plan: 'pro', it: 'b' },
    ),
    viaSegments(
      'a condition on a segment, not in',
      { s: [rule(), rule({ values: ['b'] })] },
      { rules: [rule({ attribute: 'plan', values: ['pro'], conditions: [outside('s')], ...fits })] },
      [
        rule({
          attribute: 'plan',
          values: ['pro'],
          conditions: [rule({ operator: 'not_in' }), rule({ operator: 'not_in', values: ['b'] })],
          ...fits,
        }),
      ],
      { plan: 'pro', it: 'c' },
    ),
    viaSegments(
      'a rule for those who are not in a segment',
      { s: [rule()] },
      { rules: [outside('s', fits)] },
      [rule({ operator: 'not_in', ...fits })],
      { it: 'c' },
    ),
    viaSegments('an unknown segment makes a condition never true', {}, { rules: [rule({ conditions: [outside('s')] })] }, []),
    viaSegments(
      'included keys go before excluded keys, and these before rules',
      { s: { rules: [rule()], included_keys: ['ben'], excluded_keys: ['ann', 'ben'] } },
      { rules: [inSegment('s', fits)] },
      [
        rule({ attribute: '$user_key', values: ['ben'], ...fits }),
        rule({ conditions: [rule({ attribute: '$user_key', operator: 'not_in', values: ['ann', 'ben'] })], ...fits }),
      ],
    ),
    viaSegments(
      'not in a segment with included and excluded keys',
      { s: { rules: [rule()], included_keys: ['ben'], excluded_keys: ['ann'] } },
      { rules: [outside('s', fits)] },
      [
        rule({
          attribute: '$user_key',
          operator: 'not_in',
          values: ['ben'],
          conditions: [rule({ attribute: '$user_key', values: ['ann'] })],
          ...fits,
        }),
        rule({
          attribute: '$user_key',
          operator: 'not_in',
          values: ['ben'],
          conditions: [rule({ operator: 'not_in' })],
          ...fits,
        }),
      ],
    ),
  ],
}
