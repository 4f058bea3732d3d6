import type { JsonValue } from '@burgee/evaluation'

/** A number in JSON, with its place as a JSON pointer. */
export interface PlacedNumber {
  readonly path: string
  readonly value: number
}

/**
 * Returns the first number beyond 2^53, or null. `JSON.parse` gives the nearest number that JavaScript has:
 * 9007199254740993 is another number here than in a program of Go.
 */
export function findUnsafeNumber(value: JsonValue | readonly JsonValue[]): PlacedNumber | null {
  const stack: { readonly value: unknown; readonly path: string }[] = [{ value, path: '' }]
  while (stack.length > 0) {
    const { path, value: one } = stack.pop() ?? { path: '', value: null }
    if (typeof one === 'number') {
      if (Math.abs(one) > Number.MAX_SAFE_INTEGER) return { path, value: one }
    } else if (typeof one === 'object' && one !== null)
      for (const [key, inner] of Object.entries(one).toReversed())
        if (typeof inner === 'number' || typeof inner === 'object')
          stack.push({ value: inner, path: `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}` })
  }
  return null
}
