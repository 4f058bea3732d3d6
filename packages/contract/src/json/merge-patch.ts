import type { JsonValue } from '@burgee/evaluation'
import { isObject } from './is-object.ts'

/** The fields that are merged in one step. */
const STEP_FIELDS = 2_000

/**
 * Applies a JSON merge patch (RFC 7386, section 2): objects merge field by field, null removes a field,
 * anything else replaces what was there. Neither argument is changed. `__proto__` and the like are ordinary
 * names.
 */
export function mergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  const steps = mergeSteps(target, patch)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Applies a patch of tens of thousands of fields in steps, between which the caller may do other work. */
export function* mergeSteps(target: JsonValue | undefined, patch: JsonValue): Generator<void, JsonValue> {
  return yield* mergeCounted(target, patch, { left: STEP_FIELDS })
}

/** Merges, and yields whenever the fields of a step are used up, at whatever depth. */
function* mergeCounted(
  target: JsonValue | undefined,
  patch: JsonValue,
  step: { left: number },
): Generator<void, JsonValue> {
  if (!isObject(patch)) return patch
  // Written out: entries and a map between take twice as long.
  const merged: { [name: string]: JsonValue } = isObject(target) ? { ...target } : {}
  for (const name of Object.keys(patch)) {
    // One of its own names.
    const value = patch[name] as JsonValue
    if (value === null) delete merged[name]
    else {
      const old = Object.hasOwn(merged, name) ? merged[name] : undefined
      setField(merged, name, isObject(value) ? yield* mergeCounted(old, value, step) : value)
    }
    step.left -= 1
    if (step.left > 0) continue
    step.left = STEP_FIELDS
    yield
  }
  return merged
}

/** Sets an own field: an assignment to `__proto__` would not. */
function setField(fields: { [name: string]: JsonValue }, name: string, value: JsonValue): void {
  if (name === '__proto__')
    Object.defineProperty(fields, name, { value, configurable: true, enumerable: true, writable: true })
  else fields[name] = value
}
