/** Returns whether two JSON values are equal. Order matters in arrays, not in objects. */
export function deepEqual(left: unknown, right: unknown): boolean {
  if (!isCompound(left) || !isCompound(right)) return left === right
  const keys = Object.keys(left)
  return (
    Array.isArray(left) === Array.isArray(right) &&
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && deepEqual(left[key], right[key]))
  )
}

const isCompound = (value: unknown): value is Readonly<Record<string, unknown>> => Object(value) === value
