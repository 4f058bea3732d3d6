/**
 * Creates a JSON text of about so many bytes that is expensive for a parser, for a validator, or to store and
 * return.
 */
export type JsonText = (bytes: number) => string

const repeated = (open: string, unit: string, close: string): JsonText => {
  const separator = unit === '' ? '' : ','
  return (bytes) => {
    const count = Math.max(1, Math.floor((bytes - open.length - close.length) / (unit.length + 1)))
    return open + Array(count).fill(unit).join(separator) + close
  }
}

const numbered = (open: string, unit: (index: number) => string, close: string): JsonText => {
  return (bytes) => {
    const parts: string[] = []
    let left = bytes - open.length - close.length
    for (let index = 0; ; index += 1) {
      const part = unit(index)
      left -= part.length + 1
      if (left < 0) return open + parts.join(',') + close
      parts.push(part)
    }
  }
}

const filled = (unit: string): JsonText => {
  const size = Buffer.byteLength(unit)
  return (bytes) => `"${unit.repeat(Math.max(1, Math.floor((bytes - 2) / size)))}"`
}

const nested = (open: string, close: string): JsonText => {
  return (bytes) => {
    const depth = Math.max(1, Math.floor((bytes - 1) / (open.length + close.length)))
    return `${open.repeat(depth)}0${close.repeat(depth)}`
  }
}

export const WORST_JSON: Readonly<Record<string, JsonText>> = {
  'lists in lists': nested('[', ']'),
  'objects in objects': nested('{"a":', '}'),
  'a list of numbers': repeated('[', '0', ']'),
  'a list of empty lists': repeated('[', '[]', ']'),
  'a list of empty objects': repeated('[', '{}', ']'),
  'a list of short texts': repeated('[', '"u1234567"', ']'),
  'a list of objects with names of their own': numbered('[', (index) => `{"k${index}":0}`, ']'),
  'distinct fields': numbered('{', (index) => `"k${index}":0`, '}'),
  'one field again and again': repeated('{', '"a":0', '}'),
  'a long text': filled('x'),
  'a text of escapes': filled('\\u0041'),
  'a text of NULs': filled('\\u0000'),
  'a text of lone surrogates': filled('\\ud800'),
  'a text of emoji': filled('😀'),
  'a long number': (bytes) => '7'.repeat(bytes),
  'a long fraction': (bytes) => `0.${'7'.repeat(bytes - 2)}`,
  'white space': (bytes) => `${' '.repeat(bytes - 1)}0`,
  'an open text': (bytes) => `"${'x'.repeat(bytes - 1)}`,
}

/** The number of items that a body of the control plane may have, so that they pass the bounds. */
const ITEMS = 99_000
const FIELDS = 49_000

/** Large values that pass the bounds of a body. */
export const LARGEST_JSON: Readonly<Record<string, JsonText>> = {
  'a list of 99,000 numbers': () => `[${Array(ITEMS).fill('0').join(',')}]`,
  'a list of 99,000 texts': () => `[${Array(ITEMS).fill('"u12345"').join(',')}]`,
  'a list of 99,000 objects': () => `[${Array(ITEMS).fill('{}').join(',')}]`,
  '49,000 fields': numbered('{', (index) => `"k${index % FIELDS}":0`, '}'),
}
