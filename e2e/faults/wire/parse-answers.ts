/** A response as a client parses it from the bytes of its connection. */
export interface WireAnswer {
  readonly status: number
  readonly body: string
  /** True when it announces the end of the connection. */
  readonly closes: boolean
  /** False while a part is missing. */
  readonly isComplete: boolean
}

export interface ParsedBytes {
  readonly answers: readonly WireAnswer[]
  /** The problem when the bytes are not HTTP. */
  readonly problem: string | null
}

interface Body {
  readonly text: string
  readonly end: number
  readonly isComplete: boolean
}

const HEAD_END = '\r\n\r\n'
const STATUS_LINE = /^HTTP\/1\.[01] (\d{3})(?: [^\r\n]*)?$/
const FIELD = /^[\w!#$%&'*+.^`|~-]+:[^\r\n]*$/

/**
 * Parses the responses to requests with these methods by RFC 9112, without interim ones. Bytes after the last
 * due response are a problem, too: a client would take them for the response to its next request.
 */
export function parseAnswers(bytes: string, methods: readonly string[]): ParsedBytes {
  const answers: WireAnswer[] = []
  let at = 0
  while (at < bytes.length) {
    const headEnd = bytes.indexOf(HEAD_END, at)
    if (headEnd === -1) {
      const isStart = 'HTTP/1.1 '.startsWith(bytes.slice(at, at + 9)) || bytes.startsWith('HTTP/1.', at)
      return { answers, problem: isStart ? null : `no status line: ${shown(bytes, at)}` }
    }
    const [first = '', ...fields] = bytes.slice(at, headEnd).split('\r\n')
    const status = Number(STATUS_LINE.exec(first)?.[1])
    if (Number.isNaN(status)) return { answers, problem: `no status line: ${shown(bytes, at)}` }
    const badField = fields.find((field) => !FIELD.test(field))
    if (badField !== undefined) return { answers, problem: `no header field: ${badField}` }
    at = headEnd + HEAD_END.length
    if (status < 200) continue
    const method = methods[answers.length] ?? 'GET'
    const headers = headersOf(fields)
    const body = readBody(bytes, at, headers, method === 'HEAD' || status === 204 || status === 304)
    if (typeof body === 'string') return { answers, problem: body }
    const closes = headers.get('connection') === 'close'
    answers.push({ status, closes, body: body.text, isComplete: body.isComplete })
    at = body.end
  }
  return { answers, problem: null }
}

const headersOf = (fields: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    fields.map((field) => {
      const colon = field.indexOf(':')
      return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()]
    }),
  )

function readBody(
  bytes: string,
  at: number,
  headers: ReadonlyMap<string, string>,
  hasNone: boolean,
): Body | string {
  if (hasNone) return { text: '', end: at, isComplete: true }
  if (headers.get('transfer-encoding') === 'chunked') return readChunks(bytes, at)
  const length = headers.get('content-length')
  if (length === undefined) return { text: bytes.slice(at), end: bytes.length, isComplete: false }
  if (!/^\d+$/.test(length)) return `no length: ${length}`
  const end = at + Number(length)
  return { text: bytes.slice(at, end), end: Math.min(end, bytes.length), isComplete: end <= bytes.length }
}

function readChunks(bytes: string, start: number): Body | string {
  let at = start
  let text = ''
  const missing = () => ({ text, end: bytes.length, isComplete: false })
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd === -1) return missing()
    const size = bytes.slice(at, lineEnd)
    if (!/^[\da-f]+$/i.test(size)) return `no size of a chunk: ${shown(bytes, at)}`
    const length = Number.parseInt(size, 16)
    at = lineEnd + 2
    if (bytes.length < at + length + 2) return missing()
    text += bytes.slice(at, at + length)
    at += length
    if (!bytes.startsWith('\r\n', at)) return `no end of a chunk: ${shown(bytes, at)}`
    at += 2
    if (length === 0) return { text, end: at, isComplete: true }
  }
}

const shown = (bytes: string, at: number): string => JSON.stringify(bytes.slice(at, at + 60))
