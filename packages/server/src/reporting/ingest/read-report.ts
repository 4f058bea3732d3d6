import { checkJson, type JsonReader, type JsonSpan } from '../../kernel/json/check-json.ts'
import { BYTE } from '../../kernel/json/json-tokens.ts'
import { contextText, cutText, repairJson } from './reported-text.ts'

/** The parts of a report that are kept. */
export interface ReportBounds {
  readonly items: number
  /** The known fields of an item. Other fields are not read. */
  readonly fields: ReadonlySet<string>
  /** The characters of a text. */
  readonly textLength: number
  /** The field that may contain any JSON. It becomes null when it is larger than this. */
  readonly freeForm: { readonly field: string; readonly maxBytes: number; readonly maxDepth: number }
}

export type Report =
  | { readonly kind: 'report'; readonly body: unknown }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'too many items' }

/** The fields of an item by name, or a stand-in for an item that is not an object. */
type Item = ReadonlyMap<string, JsonSpan> | StandIn
type StandIn = string | number | boolean | null | readonly []

/** The bytes of one character, at most: two escapes of six. */
const CHARACTER_MAX_BYTES = 12
/**
 * The written bytes for each kept byte, at most: an escape. Longer forms of numbers and repeated names are
 * not kept.
 */
const WRITTEN_PER_KEPT = 6
/** The bytes of a known name with every letter escaped. */
const NAME_MAX_BYTES = 200

/**
 * Reads a large report, a list of flat objects. What would be cut or dropped later is cut or dropped before
 * parsing, so the memory and the time of a step are bounded for any text. The items are those that parsing
 * the whole text gives. A value of a wrong type becomes an empty one of its type, which validation reports.
 * It yields between steps.
 */
export function* readReport(bytes: Buffer, bounds: ReportBounds): Generator<void, Report> {
  const { items, reader, top } = createCollector(bytes, bounds)
  const outcome = yield* checkJson(bytes, reader)
  if (outcome === 'invalid') return { kind: 'malformed' }
  if (outcome === 'ended') return { kind: 'too many items' }
  const standIn = top()
  if (!Array.isArray(standIn)) return { kind: 'report', body: standIn }
  const body: unknown[] = []
  for (const item of items) body.push(item instanceof Map ? yield* readItem(bytes, item, bounds) : item)
  return { kind: 'report', body }
}

/** Collects the positions of the known fields. */
function createCollector(bytes: Buffer, { fields, items: itemsMax }: ReportBounds) {
  const items: Item[] = []
  let top: StandIn | object = null
  let fieldsOfItem: Map<string, JsonSpan> | null = null
  let name: string | null = null

  const add = (item: Item): boolean => {
    items.push(item)
    return items.length <= itemsMax
  }
  const reader: JsonReader = {
    open(level, isList) {
      if (level === 0) top = isList ? [] : {}
      if (level === 0 || !Array.isArray(top)) return true
      fieldsOfItem = isList ? null : new Map()
      return add(fieldsOfItem ?? [])
    },
    close() {
      fieldsOfItem = null
    },
    name(start, end) {
      name = fieldsOfItem && end - start <= NAME_MAX_BYTES ? readName(bytes, start, end) : null
    },
    value(level, span) {
      if (level === 0) top = standInFor(bytes[span.start])
      else if (level === 1) return !Array.isArray(top) || add(standInFor(bytes[span.start]))
      else if (fieldsOfItem && name !== null && fields.has(name)) fieldsOfItem.set(name, span)
      return true
    },
  }
  return { items, reader, top: () => top }
}

const MINUS = 0x2d
const NINE = 0x39
const LETTERS = { f: 0x66, t: 0x74 }

/** Returns an empty value of the type that starts with this byte. */
function standInFor(first: number | undefined): StandIn {
  if (first === BYTE.quote) return ''
  if (first === LETTERS.f || first === LETTERS.t) return true
  if (first !== undefined && first >= MINUS && first <= NINE) return 0
  return null
}

/**
 * Reads the name of a field. Most names have no escapes, which is several times faster than parsing. Known
 * names are ASCII only.
 */
function readName(bytes: Buffer, start: number, end: number): string {
  const name = bytes.toString('latin1', start + 1, end - 1)
  return name.includes('\\') ? parseText(bytes, start, end) : name
}

const parseText = (bytes: Buffer, start: number, end: number): string =>
  String(JSON.parse(repairJson(bytes.toString('utf8', start, end))))

function* readItem(
  bytes: Buffer,
  fields: ReadonlyMap<string, JsonSpan>,
  bounds: ReportBounds,
): Generator<void, object> {
  const item: [string, unknown][] = []
  for (const [name, span] of fields) {
    item.push([name, readField(bytes, name, span, bounds)])
    yield
  }
  return Object.fromEntries(item)
}

function readField(bytes: Buffer, name: string, span: JsonSpan, bounds: ReportBounds): unknown {
  const { end, start } = span
  switch (bytes[start]) {
    case BYTE.quote:
      return readText(bytes, span, bounds.textLength)
    case BYTE.openList:
      return []
    case BYTE.openObject:
      return name === bounds.freeForm.field ? readFreeForm(bytes, span, bounds.freeForm) : {}
    default:
      return JSON.parse(bytes.toString('latin1', start, end))
  }
}

/** Reads a text, up to one character more than is kept of it. */
function readText(bytes: Buffer, { end, start }: JsonSpan, maxLength: number): string {
  const kept = maxLength + 1
  const most = start + 1 + CHARACTER_MAX_BYTES * (kept + 1)
  if (end <= most) return cutText(parseText(bytes, start, end), kept)
  const text = bytes.toString('utf8', start, wholeCharacters(bytes, start + 1, most))
  return cutText(String(JSON.parse(repairJson(`${text}"`))), kept)
}

const CONTINUATION_MASK = 0xc0
const CONTINUATION = 0x80
const LOWER_U = 0x75
const SHORT_ESCAPE = 2
const LONG_ESCAPE = 6

/** Returns the last index up to `most` that splits neither an escape nor a character of UTF-8. */
function wholeCharacters(bytes: Uint8Array, start: number, most: number): number {
  let at = start
  while (at < most) {
    const isEscape = bytes[at] === BYTE.backslash
    const length = isEscape ? (bytes[at + 1] === LOWER_U ? LONG_ESCAPE : SHORT_ESCAPE) : 1
    if (at + length > most) return at
    at += length
  }
  while (((bytes[at] ?? 0) & CONTINUATION_MASK) === CONTINUATION) at -= 1
  return at
}

/** Reads the value, or null when it is larger than is kept. */
function readFreeForm(
  bytes: Buffer,
  { blanks, end, levels, start }: JsonSpan,
  limits: ReportBounds['freeForm'],
): unknown {
  if (levels > limits.maxDepth || end - start - blanks > WRITTEN_PER_KEPT * limits.maxBytes) return null
  const value: object = JSON.parse(repairJson(bytes.toString('utf8', start, end)))
  return contextText(value, limits) === null ? null : value
}
