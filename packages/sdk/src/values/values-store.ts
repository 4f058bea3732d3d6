/** The result of a flag, as OFREP has it. An error has neither a value nor a reason. */
export interface ValueResult {
  readonly key: string
  readonly value?: unknown
  readonly reason?: string
  readonly variant?: string
}

/** The results of all flags for one user. */
export interface ValuesStore {
  /** The results as they arrived; null before. */
  readonly results: readonly ValueResult[] | null
  isEnabled(flagKey: string): boolean
  valueOf(flagKey: string): unknown
  /** Replaces the results. Returns the keys of those that differ. */
  replace(results: readonly ValueResult[] | null): string[]
}

export function createValuesStore(): ValuesStore {
  let byKey = new Map<unknown, ValueResult>()
  const store = {
    results: null as readonly ValueResult[] | null,
    isEnabled(flagKey: string) {
      const { reason = DISABLED, value, variant } = byKey.get(flagKey) ?? ({} as Partial<ValueResult>)
      // OFREP does not state it of other flags: the server names a disabled result that has no other name so.
      const isNamedSo = variant === 'disabled' && value !== variant
      return value !== false && reason !== DISABLED && !isNamedSo
    },
    valueOf: (flagKey: string) => byKey.get(flagKey)?.value,
    replace(results: readonly ValueResult[] | null) {
      const before = byKey
      byKey = new Map(results?.map((result) => [result.key, result]))
      store.results = results
      return [...new Set([...before.keys(), ...byKey.keys()])].filter(
        (key) => JSON.stringify(before.get(key)) !== JSON.stringify(byKey.get(key)),
      ) as string[]
    },
  }
  return store
}

const DISABLED = 'DISABLED'
