/** Ends a complete `switch`: the compiler reports a missing case. */
export function assertNever(value: never): never {
  throw new Error(`unexpected ${JSON.stringify(value)}`)
}
