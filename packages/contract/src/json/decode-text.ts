/** Programs of Node and browsers have it; the types of this package are of neither. */
declare const TextDecoder: new (
  encoding: string,
  options: { readonly fatal: true },
) => { decode(bytes: Uint8Array): string }

/**
 * Decodes the bytes of a text file: UTF-8, with or without a byte order mark, or UTF-16 as some programs of
 * Windows write it. Throws an error that names the line with bytes of neither.
 */
export function decodeText(bytes: Uint8Array): string {
  const encoding = findEncoding(bytes)
  try {
    // The decoder takes the byte order mark away.
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw new Error(
      encoding === 'utf-8'
        ? `line ${findBadLine(bytes)} has bytes that are no UTF-8: save the file as UTF-8`
        : 'it begins as UTF-16 and is none: save the file as UTF-8',
    )
  }
}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be'

/** Without a mark, a zero byte beside the first character means UTF-16: the files begin with ASCII. */
function findEncoding([first, second]: Uint8Array): Encoding {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first !== undefined && first !== 0 && second === 0) return 'utf-16le'
  return first === 0 && second !== undefined && second !== 0 ? 'utf-16be' : 'utf-8'
}

const LINE_FEED = 0x0a

/** No byte of a longer character is a line feed, so that each line can be decoded alone. */
function findBadLine(bytes: Uint8Array): number {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let line = 1
  for (let from = 0; from < bytes.length; line += 1) {
    const end = bytes.indexOf(LINE_FEED, from)
    const to = end === -1 ? bytes.length : end
    try {
      decoder.decode(bytes.subarray(from, to))
    } catch {
      return line
    }
    from = to + 1
  }
  return line
}
