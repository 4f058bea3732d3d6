import { connect } from 'node:net'

const HOST = 'Host: localhost'
const POST = `POST /api/auth/login HTTP/1.1\r\n${HOST}\r\nContent-Type: application/json\r\n`
const GET = `GET /health HTTP/1.1\r\n${HOST}\r\n`

/** Requests that no client library sends: bytes that are hardly HTTP, or not at all. By name. */
export const RAW_REQUESTS: Readonly<Record<string, string>> = {
  'no HTTP': 'hello\r\n\r\n',
  nothing: '',
  'blank lines': '\r\n\r\n\r\n',
  'the start of TLS': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'HTTP/0.9': 'GET /health\r\n\r\n',
  'HTTP/1.0': 'GET /health HTTP/1.0\r\n\r\n',
  'HTTP/2 by prior knowledge': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'HTTP/9.9': `GET /health HTTP/9.9\r\n${HOST}\r\n\r\n`,
  'no host': 'GET /health HTTP/1.1\r\n\r\n',
  'two hosts': `${GET}Host: elsewhere\r\n\r\n`,
  'a method in lower case': `get /health HTTP/1.1\r\n${HOST}\r\n\r\n`,
  'no path': `GET  HTTP/1.1\r\n${HOST}\r\n\r\n`,
  'a path with a space': `GET /health x HTTP/1.1\r\n${HOST}\r\n\r\n`,
  'a path with NUL': `GET /health\0 HTTP/1.1\r\n${HOST}\r\n\r\n`,
  'a path that does not begin with a slash': `GET health HTTP/1.1\r\n${HOST}\r\n\r\n`,
  CONNECT: `CONNECT elsewhere:443 HTTP/1.1\r\n${HOST}\r\n\r\n`,
  'OPTIONS *': `OPTIONS * HTTP/1.1\r\n${HOST}\r\n\r\n`,
  'line feeds alone': `GET /health HTTP/1.1\n${HOST}\n\n`,
  'a folded header': `${GET}X-A: a\r\n b\r\n\r\n`,
  'a header with NUL': `${GET}X-A: a\0b\r\n\r\n`,
  'a header without a name': `${GET}: a\r\n\r\n`,
  'a blank before the colon': `${GET}X-A : a\r\n\r\n`,
  'many headers': `${GET}${Array.from({ length: 3_000 }, (_, index) => `a${index}:\r\n`).join('')}\r\n`,
  'a long line': `GET /${'a'.repeat(100_000)} HTTP/1.1\r\n${HOST}\r\n\r\n`,
  'an unfinished header': `${GET}X-A: a`,
  'a negative length': `${POST}Content-Length: -1\r\n\r\n{}`,
  'a length that is no number': `${POST}Content-Length: 1e1\r\n\r\n{}`,
  'an endless length': `${POST}Content-Length: 99999999999999999999\r\n\r\n{}`,
  'a great length': `${POST}Content-Length: 9007199254740991\r\n\r\n{}`,
  'two lengths': `${POST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
  'a length and chunks': `${POST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'less than its length': `${POST}Content-Length: 100\r\n\r\n{`,
  'more than its length': `${POST}Content-Length: 2\r\n\r\n{}{}`,
  'chunks of no size': `${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
  'a chunk of a great size': `${POST}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}\r\n`,
  'chunks without an end': `${POST}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n`,
  'chunks with odd trailers': `${POST}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nHost: a\r\n\r\n`,
  'another transfer encoding': `${POST}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
  'an upgrade': `${GET}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  'an upgrade to HTTP/2': `${GET}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n`,
  'a hundred requests at once': `${GET}\r\n`.repeat(100),
  'a stream behind another request': `${GET}\r\nGET /stream HTTP/1.1\r\n${HOST}\r\n\r\n`,
}

/** The time after which a server that neither responds nor closes hangs. */
const PATIENCE_MS = 20_000

/** Sends the bytes and the end, and returns everything that arrives until the server closes. */
export function sendRaw(url: string, text: string): Promise<string> {
  const { port } = new URL(url)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(port), '127.0.0.1', () => socket.end(Buffer.from(text, 'latin1')))
    socket.setTimeout(PATIENCE_MS, () =>
      socket.destroy(new Error('the server neither responds nor closes the connection')),
    )
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')))
    // A server may close on invalid input, but must not leave the caller waiting.
    socket.on('error', (error) => ('code' in error ? resolve('') : reject(error)))
  })
}
