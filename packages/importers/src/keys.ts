import { KEY_MAX_LENGTH } from '@burgee/contract'

const ALLOWED = /[^A-Za-z0-9_-]+/g

/** Gives keys that Burgee accepts, each to one key of the other service. */
export class KeyNames {
  readonly #byOld = new Map<string, string>()
  readonly #taken = new Set<string>()

  /** Keys that fit as they are keep their name, whatever comes before them. */
  constructor(keys: Iterable<string>) {
    const all = [...new Set(keys)]
    const fitting = all.filter((key) => toKey(key) === key)
    for (const key of [...fitting, ...all.filter((key) => toKey(key) !== key)]) this.#add(key)
  }

  #add(old: string): void {
    const base = toKey(old)
    let key = base
    for (let suffix = 2; this.#taken.has(key); suffix++) key = withSuffix(base, suffix)
    this.#taken.add(key)
    this.#byOld.set(old, key)
  }

  /** Returns the key in Burgee; of an unknown one what it would be. */
  get(old: string): string {
    return this.#byOld.get(old) ?? toKey(old)
  }

  /** Returns the keys that changed, from old to new. */
  changed(): ReadonlyMap<string, string> {
    return new Map([...this.#byOld].filter(([old, key]) => old !== key))
  }
}

function toKey(text: string): string {
  return text.replaceAll(ALLOWED, '-').slice(0, KEY_MAX_LENGTH) || '-'
}

function withSuffix(base: string, number: number): string {
  const suffix = `-${number}`
  return base.slice(0, KEY_MAX_LENGTH - suffix.length) + suffix
}
