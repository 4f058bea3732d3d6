/** Thrown when a check takes more steps than it may. */
export class TooManySteps extends Error {}

/** Returns a function that counts steps, and throws `TooManySteps` beyond the maximum. */
export function createStepCounter(max: number): (steps: number) => void {
  let steps = 0
  return (more) => {
    steps += more
    if (steps > max) throw new TooManySteps()
  }
}

/**
 * Returns the schema behind a counter of reads: references that multiply or never end are stopped instead of
 * holding the process.
 */
export function countReads<S>(schema: S, spend: (steps: number) => void): S {
  const known = new WeakMap<object, object>()

  function counted<T>(value: T): T {
    if (typeof value !== 'object' || value === null || value instanceof RegExp) return value
    const found = known.get(value)
    // The proxy of an object has its type.
    if (found) return found as T
    const proxy = new Proxy(value, {
      get(target, name, receiver) {
        spend(1)
        return counted(Reflect.get(target, name, receiver))
      },
      has(target, name) {
        spend(1)
        return Reflect.has(target, name)
      },
      getOwnPropertyDescriptor(target, name) {
        spend(1)
        return Reflect.getOwnPropertyDescriptor(target, name)
      },
    })
    known.set(value, proxy)
    return proxy
  }

  return counted(schema)
}
