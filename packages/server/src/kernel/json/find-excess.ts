import { escapePointer } from '../hygiene.ts'
import type { ProblemDetail } from '../refusal.ts'

/**
 * The bounds of a JSON text. Small texts can be expensive: a megabyte of brackets becomes half a million
 * arrays.
 */
export interface JsonBounds {
  readonly depth: number
  /** The fields of all objects. */
  readonly fields: number
  /** The items of all lists. */
  readonly items: number
}

/** The bytes of a field name that a path shows. */
const SHOWN_NAME_MAX_BYTES = 300

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_LIST = 0x5b
const BACKSLASH = 0x5c
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/**
 * Scans the bytes of a JSON text once, without parsing it, and returns the first bound that it exceeds, or
 * null. It does not validate: in invalid JSON it counts at least as much as a parser would read.
 */
export function findExcess(bytes: Uint8Array, bounds: JsonBounds): ProblemDetail | null {
  const place = createPlace(bytes, bounds.depth)
  let fields = 0
  let items = 0
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]) {
      case QUOTE: {
        const end = endOfText(bytes, at)
        place.text(at, end)
        at = end
        break
      }
      case OPEN_LIST:
      case OPEN_OBJECT:
        if (place.depth() === bounds.depth)
          return { path: place.path(), message: `must not nest deeper than ${bounds.depth} levels` }
        items += place.open(bytes[at] === OPEN_LIST)
        break
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        place.close()
        break
      case COMMA:
        items += place.comma()
        break
      case COLON:
        fields += 1
        place.field()
        break
    }
    if (fields > bounds.fields) return tooMany(`${bounds.fields.toLocaleString('en')} fields`)
    if (items > bounds.items) return tooMany(`${bounds.items.toLocaleString('en')} list items`)
  }
  return null
}

const tooMany = (most: string): ProblemDetail => ({
  path: '',
  message: `must not have more than ${most} in all`,
})

/**
 * Returns the index of the quote that ends the string that starts at `start`, or the last index when there is
 * none.
 */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return Math.min(at, bytes.length - 1)
}

/** The position of the scan in the structure. */
function createPlace(bytes: Uint8Array, depthMax: number) {
  /** By level: the index in a list or -1, and the position of the field name. */
  const indexes = new Int32Array(depthMax + 1)
  const names: { start: number; end: number }[] = Array.from({ length: depthMax + 1 }, () => ({
    start: 0,
    end: 0,
  }))
  const lastText = { start: 0, end: 0 }
  let depth = 0
  return {
    depth: () => depth,
    text(start: number, end: number) {
      lastText.start = start
      lastText.end = end
    },
    /** Returns the number of items that the list has at least. */
    open(isList: boolean): number {
      depth += 1
      indexes[depth] = isList ? 0 : -1
      return isList ? 1 : 0
    },
    close() {
      if (depth > 0) depth -= 1
    },
    comma(): number {
      const index = indexes[depth] ?? -1
      if (depth === 0 || index === -1) return 0
      indexes[depth] = index + 1
      return 1
    },
    field() {
      const name = names[depth]
      if (name) Object.assign(name, lastText)
    },
    path(): string {
      const steps = names.slice(1, depth + 1).map((name, level) => {
        const index = indexes[level + 1] ?? -1
        return index === -1 ? fieldName(bytes, name) : String(index)
      })
      return steps.map((step) => `/${escapePointer(step)}`).join('')
    },
  }
}

function fieldName(bytes: Uint8Array, { end, start }: { start: number; end: number }): string {
  const text = new TextDecoder().decode(
    bytes.subarray(start, Math.min(end + 1, start + SHOWN_NAME_MAX_BYTES)),
  )
  try {
    return String(JSON.parse(text))
  } catch {
    return text.slice(1)
  }
}
