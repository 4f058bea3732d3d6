/** An object as received over the wire. */
export type Fields = Readonly<Record<string, unknown>>

/**
 * Flags are read from `unknown` while they are compiled. A flag that is not valid ends in an error, this one
 * or one of the engine, and evaluates to `ERROR`.
 *
 * @throws TypeError when the condition does not hold.
 */
export function assertValid(condition: unknown): asserts condition {
  if (!condition) throw new TypeError()
}

/** Missing and null mean empty. The engine itself rejects what is not a list, and reading fields of null. */
export const listOf = (value: unknown): Fields[] => (value ?? []) as Fields[]
