/** Levels of a file that are searched: flags are on the first or the second. */
const LEVELS = 2
const REPEATED_MAX = 100

/** An open object with its keys and the current one; null for a list, and on further levels. */
type Open = { readonly keys: Set<string>; key: string } | null

/**
 * Returns the keys that an object of the first levels has twice, as JSON pointers. `JSON.parse` takes the
 * last one without a word, as the other services do. The text is valid JSON.
 */
export function findRepeatedKeys(text: string): readonly string[] {
  const found = new Set<string>()
  const open: Open[] = []
  let [from, to] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign === '"') {
      from = at
      at = endOfString(text, at)
      to = at + 1
    } else if (sign === '{') open.push(open.length < LEVELS ? { keys: new Set(), key: '' } : null)
    else if (sign === '[') open.push(null)
    else if (sign === '}' || sign === ']') open.pop()
    else if (sign === ':' && open.length <= LEVELS) {
      const object = open.at(-1)
      if (!object) continue
      object.key = JSON.parse(text.slice(from, to)) as string
      if (object.keys.has(object.key) && found.size < REPEATED_MAX) found.add(pointerTo(open))
      object.keys.add(object.key)
    }
  }
  return [...found]
}

/** Returns the place of the quotation mark that ends a string. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at
  }
  return text.length
}

const pointerTo = (open: readonly Open[]): string =>
  open.map((one) => `/${(one?.key ?? '').replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
