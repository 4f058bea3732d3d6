import type { Random } from '../../../packages/server/test/fuzz/random.ts'

/** The known facts about the server. */
export interface WireTarget {
  readonly sdkKey: string
  readonly environmentId: string
}

/**
 * The outcome of a message. `next`: its response, and the connection stays. `last`: its response, and the
 * connection is closed. `odd`: a response or the end. `half`: nothing for a while, because its end is
 * missing. `cut`: the end at once, earlier responses may be missing. `stream`: a stream, which any further
 * byte closes.
 */
type WireOutcome = 'next' | 'last' | 'odd' | 'half' | 'cut' | 'stream'

export interface WireMessage {
  readonly name: string
  readonly method: string
  readonly bytes: string
  readonly outcome: WireOutcome
  /** The statuses that its response may have. */
  readonly statuses: readonly number[]
  readonly body?: RegExp
}

type Maker = (target: WireTarget, random: Random) => Omit<WireMessage, 'name'>

const HOST = 'Host: burgee'
const JSON_TYPE = 'Content-Type: application/json'
const ERROR_BODY = /^\{"error":"/

const head = (line: string, ...fields: readonly string[]): string =>
  `${[line, ...fields.filter((field) => field !== '')].join('\r\n')}\r\n\r\n`

const bearer = ({ sdkKey }: WireTarget) => `Authorization: Bearer ${sdkKey}`

function get(path: string, statuses: readonly number[], body?: RegExp, ...fields: readonly string[]): Maker {
  return (target, random) => ({
    method: 'GET',
    bytes: head(`GET ${path} HTTP/1.1`, HOST, random.chance(0.5) ? bearer(target) : '', ...fields),
    outcome: 'next',
    statuses,
    ...(body && { body }),
  })
}

function withKey(
  path: string,
  statuses: readonly number[],
  body?: RegExp,
  ...fields: readonly string[]
): Maker {
  return (target) => ({
    method: 'GET',
    bytes: head(
      `GET ${path.replace(':env', target.environmentId)} HTTP/1.1`,
      HOST,
      bearer(target),
      ...fields,
    ),
    outcome: 'next',
    statuses,
    ...(body && { body }),
  })
}

/** Builds a request with a body, framed in one of the ways of HTTP. */
function post(
  path: string,
  body: (random: Random) => string,
  statuses: readonly number[],
  method = 'POST',
): Maker {
  return (target, random) => ({
    method,
    bytes: frame(
      `${method} ${path.replace(':env', target.environmentId)} HTTP/1.1`,
      [HOST, bearer(target), JSON_TYPE],
      body(random),
      random,
    ),
    outcome: 'next',
    statuses,
  })
}

function frame(line: string, fields: readonly string[], body: string, random: Random): string {
  if (random.chance(0.5)) return head(line, ...fields, `Content-Length: ${body.length}`) + body
  let chunks = ''
  for (let at = 0; at < body.length; ) {
    const size = random.integer(1, 40)
    const piece = body.slice(at, at + size)
    const length = piece.length.toString(16)
    const extension = random.chance(0.2) ? ';name=value' : ''
    chunks += `${random.chance(0.3) ? `00${length}` : length.toUpperCase()}${extension}\r\n${piece}\r\n`
    at += size
  }
  const trailer = random.chance(0.2) ? 'X-Trailer: a\r\n' : ''
  return `${head(line, ...fields, 'Transfer-Encoding: chunked')}${chunks}0\r\n${trailer}\r\n`
}

const impression = (random: Random): string =>
  JSON.stringify([{ flag_key: `wire-${random.integer(0, 9)}`, user_id: 'u', value: 'true' }])
const flag = (random: Random): string =>
  JSON.stringify({ key: `wire-${random.integer(0, 9)}`, is_enabled: random.chance(0.5) })

/** Valid requests with the responses that each must get, after and before any others. */
const VALID: Readonly<Record<string, Maker>> = {
  health: get('/health', [200], /^OK$/),
  'HEAD of health': () => ({
    method: 'HEAD',
    bytes: head('HEAD /health HTTP/1.1', HOST),
    outcome: 'next',
    statuses: [200],
  }),
  ready: get('/ready', [200], /^OK$/),
  page: get('/', [200], /<html/i, 'Accept: text/html'),
  'unknown path': get('/no/such/path', [404], ERROR_BODY),
  'path that cannot be decoded': get('/%zz', [400, 404], ERROR_BODY),
  'other method': (_target, random) => ({
    method: 'POST',
    bytes: frame('POST /health HTTP/1.1', [HOST], 'x', random),
    outcome: 'next',
    statuses: [405, 415],
    body: ERROR_BODY,
  }),
  'no credential': () => ({
    method: 'GET',
    bytes: head('GET /api/projects HTTP/1.1', HOST),
    outcome: 'next',
    statuses: [401],
    body: ERROR_BODY,
  }),
  'unknown key at a stream': () => ({
    method: 'GET',
    bytes: head('GET /stream HTTP/1.1', HOST, 'Authorization: Bearer sk_live_wire_unknown'),
    outcome: 'next',
    statuses: [401, 429],
    body: ERROR_BODY,
  }),
  snapshot: withKey('/flags/snapshot', [200], /^\[/),
  'snapshot that is known': withKey('/flags/snapshot', [304], /^$/, 'If-None-Match: *'),
  'snapshot with a query': withKey('/flags/snapshot?x', [200], /^\[/),
  'absolute form': withKey('http://burgee/flags/snapshot', [200], /^\[/),
  'list of flags': withKey('/api/environments/:env/flags', [200], /^\[/),
  '100-continue': get('/health', [200], /^OK$/, 'Expect: 100-continue'),
  'a preflight': () => ({
    method: 'OPTIONS',
    bytes: head(
      'OPTIONS /flags/snapshot HTTP/1.1',
      HOST,
      'Origin: http://a',
      'Access-Control-Request-Method: GET',
    ),
    outcome: 'next',
    statuses: [204],
  }),
  'a blank line before it': () => ({
    method: 'GET',
    bytes: `\r\n${head('GET /health HTTP/1.1', HOST)}`,
    outcome: 'next',
    statuses: [200],
    body: /^OK$/,
  }),
  'a login without JSON': post('/api/auth/login', () => '{', [400]),
  impressions: post('/api/environments/:env/impressions', impression, [204]),
  'odd impressions': post('/api/environments/:env/impressions', () => '[1]', [422]),
  'a write': post('/api/environments/:env/flags', flag, [200]),
}

/** Requests after whose response the server closes the connection. */
const LAST: Readonly<Record<string, Maker>> = {
  'Connection: close': last(head('GET /health HTTP/1.1', HOST, 'Connection: close'), [200]),
  'HTTP/1.0': last(head('GET /health HTTP/1.0'), [200]),
  'an upgrade': last(head('GET /health HTTP/1.1', HOST, 'Connection: Upgrade', 'Upgrade: websocket'), [200]),
  'no Host': last(head('GET /health HTTP/1.1'), [400]),
  'two Hosts': last(head('GET /health HTTP/1.1', HOST, HOST), [400]),
  'a Host that is none': last(head('GET /health HTTP/1.1', 'Host: a/b'), [400]),
  'an unknown expectation': last(head('GET /health HTTP/1.1', HOST, 'Expect: more'), [417]),
  'no HTTP': last('hello\r\n\r\n', [400]),
  'the start of TLS': last('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', [400]),
  'HTTP/0.9': last('GET /health\r\n\r\n', [400]),
  'HTTP/9.9': last(head('GET /health HTTP/9.9', HOST), [400]),
  'a method in lower case': last(head('get /health HTTP/1.1', HOST), [400]),
  'a header with NUL': last(head('GET /health HTTP/1.1', HOST, 'X-A: a\0b'), [400]),
  'a header without a name': last(head('GET /health HTTP/1.1', HOST, ': a'), [400]),
  'large headers': last(head('GET /health HTTP/1.1', HOST, `X-A: ${'a'.repeat(20_000)}`), [431]),
  'two lengths': last(login('Content-Length: 2', 'Content-Length: 3'), [400]),
  'a length and chunks': last(login('Content-Length: 2', 'Transfer-Encoding: chunked'), [400]),
  'a negative length': last(login('Content-Length: -1'), [400]),
  'an endless length': last(login('Content-Length: 99999999999999999999'), [400]),
  'a chunk of no size': last(`${login('Transfer-Encoding: chunked')}zz\r\n{}\r\n0\r\n\r\n`, [400]),
  'a chunk of a great size': last(`${login('Transfer-Encoding: chunked')}fffffffffffffffff\r\n{}\r\n`, [400]),
  'a chunk that is longer than it says': last(`${login('Transfer-Encoding: chunked')}1\r\n{}\r\n`, [400]),
  'a body that is too large': last(login('Content-Length: 999999999'), [413]),
}

/** Requests that HTTP servers read in different ways. Nothing is sent after them. */
const ODD: Readonly<Record<string, Maker>> = {
  'line feeds alone': odd(`GET /health HTTP/1.1\n${HOST}\n\n`),
  'a folded header': odd(head('GET /health HTTP/1.1', HOST, 'X-A: a\r\n b')),
  'a blank before the colon': odd(head('GET /health HTTP/1.1', HOST, 'X-A : a')),
  'a path with a space': odd(head('GET /health x HTTP/1.1', HOST)),
  'OPTIONS *': odd(head('OPTIONS * HTTP/1.1', HOST)),
  'another transfer encoding': odd(`${login('Transfer-Encoding: gzip, chunked')}0\r\n\r\n`),
  'many headers': odd(
    head('GET /health HTTP/1.1', HOST, ...Array.from({ length: 2_500 }, (_, at) => `a${at}:`)),
  ),
}

const HALF: Readonly<Record<string, Maker>> = {
  'half a head': half('GET /health HTTP/1.1\r\nHo'),
  'half a body': half(`${login('Content-Length: 100')}{`),
  'half a chunk': half(`${login('Transfer-Encoding: chunked')}10\r\n{`),
  'carriage returns alone': half(`GET /health HTTP/1.1\r${HOST}\r\r`),
}

const CUT: Readonly<Record<string, Maker>> = {
  CONNECT: cut(head('CONNECT elsewhere:443 HTTP/1.1', HOST)),
  'the preface of HTTP/2': cut('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
}

const STREAM: Readonly<Record<string, Maker>> = {
  'a stream': withOutcome('stream', withKey('/stream', [200], /^event: connected\n/)),
}

function login(...fields: readonly string[]): string {
  return head('POST /api/auth/login HTTP/1.1', HOST, JSON_TYPE, ...fields)
}
function last(bytes: string, statuses: readonly number[]): Maker {
  return () => ({ method: 'GET', bytes, outcome: 'last', statuses })
}
function odd(bytes: string): Maker {
  return () => ({ method: 'GET', bytes, outcome: 'odd', statuses: [200, 400, 404, 405, 417, 422, 431] })
}
function half(bytes: string): Maker {
  return () => ({ method: 'GET', bytes, outcome: 'half', statuses: [400, 408] })
}
function cut(bytes: string): Maker {
  return () => ({ method: 'CONNECT', bytes, outcome: 'cut', statuses: [400, 405] })
}
function withOutcome(outcome: WireOutcome, make: Maker): Maker {
  return (target, random) => ({ ...make(target, random), outcome })
}

const WRITES = ['a write', 'impressions']
/** The share of writes: they wait for the disk, and logins are counted, so most connections have none. */
const WRITE_SHARE = 0.02

const pickFrom = (
  makers: Readonly<Record<string, Maker>>,
  target: WireTarget,
  random: Random,
): WireMessage => {
  const [name, make] = random.pick(Object.entries(makers))
  return { name, ...make(target, random) }
}

/** Returns a request that gets its response and leaves the connection open. */
export function validMessage(target: WireTarget, random: Random): WireMessage {
  const message = pickFrom(VALID, target, random)
  return WRITES.includes(message.name) && !random.chance(WRITE_SHARE) ? validMessage(target, random) : message
}

/** Returns the last message of a connection. */
export const finalMessage = (target: WireTarget, random: Random): WireMessage =>
  pickFrom(random.pick([LAST, LAST, LAST, ODD, HALF, CUT, STREAM, STREAM]), target, random)
