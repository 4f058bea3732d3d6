/** Names that were stored before, so that no query is needed for them. */
export interface KnownNames {
  has(scope: string, key: string, value: string): boolean
  add(scope: string, key: string, value: string): void
}

/** The weight of an entry beside its text, in characters. */
const CHARACTERS_A_NAME = 64

/**
 * Creates a set of about `charactersMax` characters. When it is full it is emptied, which costs one query for
 * each name.
 */
export function createKnownNames({ charactersMax }: { readonly charactersMax: number }): KnownNames {
  const scopes = new Map<string, Map<string, Set<string>>>()
  let characters = 0
  return {
    has: (scope, key, value) => scopes.get(scope)?.get(key)?.has(value) === true,
    add(scope, key, value) {
      if (characters > charactersMax) {
        scopes.clear()
        characters = 0
      }
      const keys = scopes.get(scope) ?? new Map<string, Set<string>>()
      scopes.set(scope, keys)
      const values = keys.get(key) ?? new Set<string>()
      keys.set(key, values)
      if (values.has(value)) return
      values.add(value)
      characters += key.length + value.length + CHARACTERS_A_NAME
    },
  }
}
