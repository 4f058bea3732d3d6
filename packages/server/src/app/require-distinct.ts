/** The parts of a domain that are merged with those of the others, by name. */
interface Merged {
  readonly handlers: object
  readonly lookups: object
  readonly texts: object
}

/**
 * Throws when two domains have the same name of a handler, a look-up or a place of texts: merged, one would
 * hide the other.
 */
export function requireDistinct(domains: readonly Merged[]): void {
  for (const what of ['handlers', 'lookups', 'texts'] as const) {
    const seen = new Set<string>()
    for (const key of domains.flatMap((domain) => Object.keys(domain[what]))) {
      if (seen.has(key)) throw new Error(`two domains have ${key} among their ${what}`)
      seen.add(key)
    }
  }
}
