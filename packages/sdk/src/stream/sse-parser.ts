/**
 * Parses server-sent events (WHATWG HTML, "Interpreting an event stream") as far as this protocol needs them:
 * names, data and ids. Lines end with LF, CRLF or CR, and chunks end anywhere.
 * @param onEvent Called for each event with data; its name and its id are '' when it has none. The parser
 *   cannot be used after it throws.
 * @returns A function that takes the next piece of decoded text.
 */
export function createSseParser(
  onEvent: (name: string, text: string, id: string) => void,
): (chunk: string) => void {
  const CR = '\r'
  let rest = ''
  let name = ''
  let id = ''
  let texts: string[] = []

  function readLine(line: string): void {
    if (line === '') {
      if (texts.length > 0) onEvent(name, texts.join('\n'), id)
      name = ''
      id = ''
      texts = []
    }
    // A comment is a line whose field name is empty. A line without a colon is a field without a value.
    const [, field, value = ''] = /^([^:]*):? ?(.*)/s.exec(line) ?? []
    if (field === 'event') name = value
    if (field === 'id') id = value
    if (field === 'data') texts.push(value)
  }

  return (chunk) => {
    const text = rest + chunk
    const lines = text.split(/\r\n|\n|\r/)
    // A CR has already ended its line; an LF directly after it belongs to it.
    if (rest === CR) lines.shift()
    rest = lines.pop() ?? ''
    if (text.endsWith(CR)) rest = CR
    lines.forEach(readLine)
  }
}
