/** Names that were stored before, so that the database need not be asked again. */
export interface KnownNames {
  has(scope: string, key: string, value: string): boolean
  add(scope: string, key: string, value: string): void
}

/** What an entry weighs beside its text, in characters. */
const CHARACTERS_A_NAME = 64

/** Holds about `charactersMax` characters; when they are full it starts over, which costs one query for each name. */
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
