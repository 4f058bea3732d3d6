/** Ends a `switch` over every case: the compiler refuses a case that was forgotten. */
export function assertNever(value: never): never {
  throw new Error(`unexpected ${JSON.stringify(value)}`)
}
