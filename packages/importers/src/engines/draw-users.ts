import { USER_KEY } from '../conditions.ts'
import type { EngineUser } from './engine.ts'
import type { UserPools } from './user-pools.ts'

type Value = EngineUser['attributes'][string]

/** Draws users by chance, the same ones every time. */
export function* drawUsers(count: number, { all, kinds, ofFlags }: UserPools): Generator<EngineUser> {
  const random = numbersFrom(42)
  const pick = (values: readonly Value[]) => values[random(values.length + 1)]
  const odd = new Map([...all].map(([name, values]) => [name, oddValues(values, kinds?.get(name))]))
  for (let index = 0; index < count; index += 1) {
    const focus = ofFlags[random(ofFlags.length)] ?? all
    const keys = focus.get(USER_KEY) ?? []
    const attributes = [...all].flatMap(([name, values]): [string, Value][] => {
      const value = pick((random(ODD_EVERY) === 0 ? odd.get(name) : focus.get(name)) ?? values)
      return name === USER_KEY || value === undefined ? [] : [[name, value]]
    })
    const key = keys.length > 0 && random(4) === 0 ? String(keys[random(keys.length)]) : `user-${index}`
    yield { key, attributes: Object.fromEntries(attributes) }
  }
}

/** One value of so many is not one that the rules name. */
const ODD_EVERY = 8
const ODD_MAX = 100

/**
 * Returns what programs send beside the values that rules name, with the same types: no value, and other
 * forms. An attribute that is compared as a number gets no further texts, one that divides users none that
 * another type has too.
 */
function oddValues(values: readonly Value[], kinds: ReadonlySet<string> | undefined): Value[] {
  if (kinds?.has('number') || kinds?.has('boolean') || values.some((value) => typeof value === 'number'))
    return [null]
  const texts = values.filter((value) => typeof value === 'string').slice(0, ODD_MAX)
  return [null, ...(texts.length > 0 ? [''] : []), ...texts.flatMap(formsOf)]
}

/** Returns other forms of a text: in both cases, and of a version with a prefix or only in part. */
function formsOf(text: string): string[] {
  const version = /^v?((\d+)\.\d+)\.\d+/.exec(text)
  if (!version) return /^v\d/.test(text) ? [] : [text.toUpperCase(), text.toLowerCase()]
  const [, minor = '', major = ''] = version
  return [`v${text.replace(/^v/, '')}`, minor, `v${minor}`, major]
}

function numbersFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    // The high bits: the low ones of such a sequence repeat.
    return Math.floor((state / 2 ** 32) * below)
  }
}
