/**
 * Reads server-sent events (WHATWG HTML, "Interpreting an event stream") as far as this protocol needs them: names and
 * data. Line ends are LF, CRLF or CR, mixed at will, and chunks end anywhere.
 *
 * @param onEvent Called for each event that has data; the name is '' where the stream gave none.
 * @returns Takes the next piece of decoded text.
 */
export function createSseParser(onEvent: (name: string, text: string) => void): (chunk: string) => void {
  let rest = ''
  let name = ''
  let text: string | null = null
  let endedWithCr = false

  function readLine(line: string): void {
    if (line === '') {
      const [endedName, endedText] = [name, text]
      name = ''
      text = null
      if (endedText !== null) onEvent(endedName, endedText)
      return
    }
    // A comment is a line whose field has no name; a line without a colon is a field without a value.
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (field === 'event') name = value
    if (field === 'data') text = text === null ? value : `${text}\n${value}`
  }

  return (chunk) => {
    if (chunk === '') return
    // A CR ended its line when it came; an LF right behind it belongs to it.
    const added = endedWithCr && chunk.startsWith('\n') ? chunk.slice(1) : chunk
    endedWithCr = chunk.endsWith('\r')
    const lines = (rest + added).split(/\r\n|\n|\r/)
    rest = lines.pop() ?? ''
    lines.forEach(readLine)
  }
}
