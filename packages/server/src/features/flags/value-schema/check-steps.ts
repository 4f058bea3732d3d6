/** Thrown when a check takes more steps than it may. */
export class TooManySteps extends Error {}

/**
 * Returns the schema behind a counter of reads: references that multiply or never end throw `TooManySteps`
 * instead of holding the process.
 */
export function countSteps<S>(schema: S, max: number): S {
  let steps = 0
  const known = new WeakMap<object, object>()
  const step = () => {
    steps += 1
    if (steps > max) throw new TooManySteps()
  }

  function counted<T>(value: T): T {
    if (typeof value !== 'object' || value === null || value instanceof RegExp) return value
    const found = known.get(value)
    // The proxy of an object has its type.
    if (found) return found as T
    const proxy = new Proxy(value, {
      get(target, name, receiver) {
        step()
        return counted(Reflect.get(target, name, receiver))
      },
      has(target, name) {
        step()
        return Reflect.has(target, name)
      },
      getOwnPropertyDescriptor(target, name) {
        step()
        return Reflect.getOwnPropertyDescriptor(target, name)
      },
    })
    known.set(value, proxy)
    return proxy
  }

  return counted(schema)
}
