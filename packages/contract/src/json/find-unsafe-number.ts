import type { JsonValue } from '@burgee/evaluation'

/** A number in JSON, with its place as a JSON pointer. */
export interface PlacedNumber {
  readonly path: string
  readonly value: number
}

/** A list or an object on the way to the value that is looked at. */
interface Level {
  readonly value: object
  readonly names: readonly string[] | null
  /** The index of the next value. */
  next: number
}

/**
 * Returns the first number beyond 2^53, or null. `JSON.parse` gives the nearest number that JavaScript has:
 * 9007199254740993 is another number here than in a program of Go. Its path is built only where there is one.
 */
export function findUnsafeNumber(value: JsonValue | readonly JsonValue[]): PlacedNumber | null {
  if (isUnsafe(value)) return { path: '', value }
  const levels = isContainer(value) ? [levelOf(value)] : []
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    if (level.next === (level.names ?? (level.value as unknown[])).length) {
      levels.pop()
      continue
    }
    const inner = Reflect.get(level.value, level.names?.[level.next] ?? level.next)
    level.next += 1
    if (isUnsafe(inner)) return { path: levels.map(stepOf).join(''), value: inner }
    if (isContainer(inner)) levels.push(levelOf(inner))
  }
  return null
}

const isUnsafe = (value: unknown): value is number =>
  typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null

const levelOf = (value: object): Level => ({
  value,
  names: Array.isArray(value) ? null : Object.keys(value),
  next: 0,
})

/** Returns the step of a JSON pointer to the value that was looked at last. */
function stepOf({ names, next }: Level): string {
  const name = names?.[next - 1] ?? String(next - 1)
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}
