import { deepEqual, type JsonValue } from '@burgee/evaluation'
import { isObject } from './is-object.ts'

export interface FoundMergePatch {
  readonly patch: JsonValue
  /**
   * False where `after` sets a field inside an object to null. RFC 7386 has no patch for that: this one
   * removes the field.
   */
  readonly isExact: boolean
}

/** The smallest JSON merge patch (RFC 7386) that turns `before` into `after`, or that comes closest. */
export function findMergePatch(before: JsonValue | undefined, after: JsonValue): FoundMergePatch {
  if (!isObject(after)) return { patch: after, isExact: true }
  const known = isObject(before) ? before : {}
  const removed = Object.keys(known).filter((name) => !Object.hasOwn(after, name))
  const patch = new Map<string, JsonValue>(removed.map((name) => [name, null]))
  let isExact = true
  for (const [name, value] of Object.entries(after)) {
    const old = Object.hasOwn(known, name) ? known[name] : undefined
    if (deepEqual(old, value)) continue
    const part = findMergePatch(old, value)
    isExact &&= value !== null && part.isExact
    patch.set(name, part.patch)
  }
  return { patch: Object.fromEntries(patch), isExact }
}
