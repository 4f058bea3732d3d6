/** An object as it came over the wire. */
export type Fields = Readonly<Record<string, unknown>>

/** Flags are read where they are compiled, from `unknown`; what does not fit ends in an error, this one or the engine's. */
export function demand(holds: unknown): asserts holds {
  if (!holds) throw new TypeError()
}

/** Missing and null mean empty. The engine itself refuses what is no list, and to read fields of null. */
export const listOf = (value: unknown): Fields[] => (value ?? []) as Fields[]
