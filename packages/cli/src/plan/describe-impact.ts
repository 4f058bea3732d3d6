import type { Impact } from '@burgee/contract'
import { countOf } from '../output/count-of.ts'
import { type Colors, printable } from '../output/output.ts'

type Flip = Impact['flags'][number]['flips'][number]

/** The flags and the flips of a flag that a plan shows; the response has all of them. */
const FLAGS_SHOWN = 20
const FLIPS_SHOWN = 3
const VALUE_MAX = 40

/** Returns the lines of a plan about its impact; none where no user is known and nothing moves. */
export function describeImpact(
  { changed, exact, flags, users, violations }: Impact,
  colors: Colors,
): string[] {
  const most = changed.certain + changed.possible
  const moving = flags.filter(({ flips, hash_share = 0 }) => flips.length > 0 || hash_share > 0)
  if (users.known === 0 && moving.length === 0 && violations.length === 0) return []
  const range = changed.possible === 0 ? count(most) : `${count(changed.certain)} to ${count(most)}`
  const who =
    users.known === 0
      ? 'No user was seen yet.'
      : `${range} of ${count(users.known)} ${users.all === null ? 'given' : 'recently seen'} users ${verb(range === '1', 'get')} another result${exact ? '' : ' (not exact)'}.${describeAll(changed)}`
  const hidden = moving.length - FLAGS_SHOWN
  return [
    `  ${colors.bold(who)}`,
    ...moving.slice(0, FLAGS_SHOWN).map((flag) => `    ${describeFlag(flag)}`),
    ...(hidden > 0 ? [`    and ${count(hidden)} more ${hidden === 1 ? 'flag' : 'flags'}`] : []),
    ...violations.map(
      ({ key, why }) => `    ${colors.red('invariant')} ${printable(key)}: ${printable(why)}`,
    ),
  ]
}

const describeAll = ({ all }: Impact['changed']): string =>
  all ? ` Of all, about ${count(all.estimate)} (${count(all.low)} to ${count(all.high)}).` : ''

function describeFlag({ cause, flag_key, flips, hash_share }: Impact['flags'][number]): string {
  const because = cause === 'changed' ? '' : ` (through a ${cause})`
  const shown = flips.slice(0, FLIPS_SHOWN).map(describeFlip)
  const more = flips.length > FLIPS_SHOWN ? [countOf(flips.length - FLIPS_SHOWN, 'further change')] : []
  const share = hash_share === undefined ? [] : [`${hash_share}% of all user keys`]
  return `${printable(flag_key)}${because}: ${[...shown, ...more, ...share].join('; ')}`
}

function describeFlip({ certain, from, from_enabled, possible, to, to_enabled }: Flip): string {
  const users = possible === 0 ? count(certain) : `${count(certain)} to ${count(certain + possible)}`
  if (typeof from === 'boolean' && typeof to === 'boolean' && from_enabled !== to_enabled)
    return `${users} ${verb(users === '1', to_enabled ? 'gain' : 'lose')} access`
  return `${users} ${verb(users === '1', 'get')} ${show(to)} instead of ${show(from)}`
}

function show(value: Flip['from']): string {
  const text = JSON.stringify(value)
  return printable(text.length > VALUE_MAX ? `${text.slice(0, VALUE_MAX - 3)}...` : text)
}

const verb = (isOne: boolean, plural: string): string => (isOne ? `${plural}s` : plural)

const count = (value: number): string => value.toLocaleString('en')
