import { type Flag, type Impact, nameOfValue } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'
import { nameValue } from '../../shared/charts/name-value.ts'
import { countOf } from '../../shared/ui/count-of.ts'

type Users = Pick<Impact, 'users' | 'exact' | 'changed'>
type ImpactOfFlag = Impact['flags'][number]
type Flip = ImpactOfFlag['flips'][number]

/** The effect of a flip on a user, who gets the feature, loses it, or gets another value. */
type FlipKind = 'gain' | 'lose' | 'change'

/** A flip as the page shows it. */
export interface ShownFlip {
  readonly kind: FlipKind
  /** `get “B” instead of “A”` */
  readonly text: string
  readonly certain: number
  readonly possible: number
  readonly examples: readonly (string | null)[]
}

/** Returns the flags of a change apart: those that it is about, and those that move with them. */
export function splitFlags(flags: readonly ImpactOfFlag[]): {
  readonly own: readonly ImpactOfFlag[]
  readonly dependants: readonly ImpactOfFlag[]
} {
  return {
    own: flags.filter(({ cause }) => cause !== 'prerequisite'),
    dependants: flags.filter(({ cause }) => cause === 'prerequisite'),
  }
}

/** Describes a flip. `names` are those of the flag's values. */
export function describeFlip(flip: Flip, names?: Flag['variant_names']): ShownFlip {
  const { certain, examples, from_enabled, possible, to_enabled } = flip
  const show = (value: JsonValue) => showValue(value, names)
  const kind = from_enabled === to_enabled ? 'change' : to_enabled ? 'gain' : 'lose'
  const isBoolean = typeof flip.from === 'boolean' && typeof flip.to === 'boolean'
  const value = `get ${show(flip.to)} instead of ${show(flip.from)}`
  const access = kind === 'gain' ? 'gain access' : 'lose access'
  const text = kind === 'change' ? value : isBoolean ? access : `${access} and ${value}`
  return { kind, text, certain, possible, examples }
}

function showValue(value: JsonValue, names: Flag['variant_names']): string {
  // An archived or deleted flag has no value: the SDK returns the default of the call.
  if (value === null) return 'the default in the code'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return nameValue(nameOfValue(names, value) ?? text)
}

/**
 * Describes the users whom a change affects, in one sentence: "37 of 1,204 recently seen users change: 30 get
 * “B” instead of “A”, 7 lose access." Null where no user is known.
 */
export function describeImpact(impact: Users & Pick<Impact, 'flags'>, names?: Flag['variant_names']) {
  const { changed, flags, users } = impact
  if (users.known === 0) return null
  const most = changed.certain + changed.possible
  if (most === 0) return `None of the ${countOf(users.known, 'recently seen user')} changes.`
  const range = changed.possible > 0 ? `${format(changed.certain)} to ${format(most)}` : format(most)
  const who = `${range} of ${countOf(users.known, 'recently seen user')} ${most === 1 ? 'changes' : 'change'}`
  const { own } = splitFlags(flags)
  const [flag] = own
  if (!flag || own.length > 1) return `${who}, in ${countOf(flags.length, 'flag')}.`
  const phrases = flag.flips
    .filter(({ certain }) => certain > 0)
    .slice(0, PHRASES_MAX)
    .map((flip) => `${format(flip.certain)} ${inNumber(describeFlip(flip, names).text, flip.certain)}`)
  const isMore = flag.flips.length > PHRASES_MAX
  return phrases.length === 0 ? `${who}.` : `${who}: ${phrases.join(', ')}${isMore ? ' …' : ''}.`
}

const PHRASES_MAX = 3

/** One user gets, several get. */
const inNumber = (text: string, count: number): string =>
  count === 1 ? text.replace(/^(get|gain|lose)(?= )/, '$1s').replace(/^(\w+ access and get) /, '$1s ') : text

/** States for how many users the numbers are exact, and what is not known. */
export function describeCoverage({ changed, flags, users }: Users & Pick<Impact, 'flags'>): string {
  const { all, known, with_attributes } = users
  const share = flags.length === 1 ? flags[0]?.hash_share : undefined
  if (known === 0 && share !== undefined)
    return `No user was seen yet: ${formatPercent(share)}% of all user keys change.`
  if (known === 0)
    return all === null
      ? 'This environment keeps no users, so no user can be counted. Switch on “Seen users” in its settings.'
      : 'No user was seen yet.'
  const missing = known - with_attributes
  const sample = all && all.estimate > known ? describeSample(all.estimate, changed.all) : ''
  if (missing === 0 || changed.possible === 0) return `${sample}Exact for all ${format(known)}.`
  const exact = with_attributes === 0 ? '' : `Exact for ${format(with_attributes)}. `
  const may = `${format(changed.possible)} of them may change`
  return `${sample}${exact}${format(missing)} sent no attributes: ${may}.`
}

function describeSample(users: number, changed: Impact['changed']['all']): string {
  const of = `A sample of about ${countOf(users, 'user')}`
  return changed ? `${of}, of whom ${format(changed.low)} to ${format(changed.high)} change. ` : `${of}. `
}

const formatPercent = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 3 })
const format = (value: number): string => value.toLocaleString('en')
