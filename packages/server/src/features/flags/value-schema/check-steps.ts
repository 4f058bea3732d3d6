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

/** The comparisons of a name with a property that take as long as a step. */
const COMPARISONS_PER_STEP = 8

/**
 * Returns a schema and a value behind a counter of reads: references that multiply or never end are stopped
 * instead of holding the process. So are comparisons of the names of a value with the properties of a schema:
 * the interpreter lists both, one after the other, when it looks for additional properties.
 */
export function countReads<S, V>(
  schema: S,
  value: V,
  spend: (steps: number) => void,
): { readonly schema: S; readonly value: V } {
  let width = 0
  const ofSchema = wrapAll({
    get: (target, name, receiver) => {
      spend(1)
      return Reflect.get(target, name, receiver)
    },
    has: (target, name) => {
      spend(1)
      return Reflect.has(target, name)
    },
    getOwnPropertyDescriptor: (target, name) => {
      spend(1)
      return Reflect.getOwnPropertyDescriptor(target, name)
    },
    ownKeys: (target) => {
      const names = Reflect.ownKeys(target)
      width = names.length
      spend(width)
      return names
    },
  })
  const ofValue = wrapAll({
    ownKeys: (target) => {
      const names = Reflect.ownKeys(target)
      spend((names.length * width) / COMPARISONS_PER_STEP)
      return names
    },
  })
  return { schema: ofSchema(schema), value: ofValue(value) }
}

/** Returns a function that puts a handler before an object and before everything that is read from it. */
function wrapAll({ get = Reflect.get, ...traps }: ProxyHandler<object>): <T>(value: T) => T {
  const known = new WeakMap<object, object>()

  function wrap<T>(value: T): T {
    if (typeof value !== 'object' || value === null || value instanceof RegExp) return value
    const found = known.get(value)
    // The proxy of an object has its type.
    if (found) return found as T
    const proxy = new Proxy<T & object>(value, {
      ...traps,
      get: (target, name, receiver) => wrap<unknown>(get(target, name, receiver)),
    })
    known.set(value, proxy)
    return proxy
  }

  return wrap
}
