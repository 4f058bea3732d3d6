import { evaluated, flag, ruled, text } from './builders.mjs'

const chain = (levels) =>
  Array.from({ length: levels + 1 }, (_, level) =>
    flag({ key: `f${level}`, prerequisites: level < levels ? [{ flag_key: `f${level + 1}` }] : [] }),
  )
const needing = (...prerequisites) => text({ prerequisites })

export const prerequisites = {
  about: 'prerequisites: required values, depth, cycles',
  vectors: [
  evaluated('enabled', [needing({ flag_key: 'base' }), flag({ key: 'base' })]),
  evaluated('missing', [needing({ flag_key: 'base' })]),
  evaluated('archived', [
    needing({ flag_key: 'base' }),
    flag({ key: 'base', archived_at: '2030-01-01T00:00:00Z' }),
  ]),
  evaluated('malformed', [needing({ flag_key: 'base' }), flag({ key: 'base', rules: 'x' })]),
  evaluated('disabled', [
    needing({ flag_key: 'base' }),
    flag({ key: 'base', is_enabled: false, disabled_value: true }),
  ]),
  evaluated('checked before is_enabled', [{ ...needing({ flag_key: 'base' }), is_enabled: false }]),
  evaluated('the second fails', [needing({ flag_key: 'base' }, { flag_key: 'gone' }), flag({ key: 'base' })]),
  evaluated('enabled with the value false', [
    needing({ flag_key: 'base' }),
    flag({ key: 'base', default_value: false }),
  ]),
  evaluated('the required value', [
    needing({ flag_key: 'base', required_value: 'on' }),
    text({ key: 'base' }),
  ]),
  evaluated('another value', [needing({ flag_key: 'base', required_value: 'x' }), text({ key: 'base' })]),
  evaluated('the value of a disabled flag', [
    needing({ flag_key: 'base', required_value: 'off' }),
    text({ key: 'base', is_enabled: false }),
  ]),
  evaluated('json in another key order', [
    needing({ flag_key: 'base', required_value: { b: [1], a: null } }),
    flag({ key: 'base', flag_type: 'json', default_value: { a: null, b: [1] } }),
  ]),
  evaluated(
    'the variant of a rule',
    [needing({ flag_key: 'base', required_value: 'second' }), text({ key: 'base', rules: ruled })],
    'ann',
    { it: 'a' },
  ),
  evaluated('10 levels', chain(10), 'ann', {}, 'f0'),
  evaluated('11 levels', chain(11), 'ann', {}, 'f0'),
  evaluated('a flag that needs itself', [needing({ flag_key: 'flag' })]),
  evaluated('a cycle of two', [
    needing({ flag_key: 'base' }),
    flag({ key: 'base', prerequisites: [{ flag_key: 'flag' }] }),
  ]),
  evaluated('a deep way beside a short one', [needing({ flag_key: 'f6' }, { flag_key: 'f1' }), ...chain(11)]),
],
}
