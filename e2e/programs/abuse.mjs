import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'

/**
 * Does everything that an outsider can to a server, at once and from separate addresses, until it receives
 * the end. Its argument is JSON: {port, environmentId, serverKey, clientKey}.
 */
const { clientKey, environmentId, port, serverKey } = JSON.parse(process.argv[2])

const EXCHANGE_MS = 5_000
const HELD_READER_MS = 20_000
const BIG_BODY_BYTES = 4 * 1024 * 1024
const LANES = 4

let isStopped = false
const sockets = new Set()
const statuses = {}

/**
 * Opens one connection from its own address (127.0.0.x): sends, waits for the end or for `until`, and returns
 * what arrived.
 */
function exchange(address, bytes, { until = /\r\n\r\n/, keepMs = EXCHANGE_MS, read = true } = {}) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${address}` })
    sockets.add(socket)
    let text = ''
    const end = () => {
      clearTimeout(timer)
      sockets.delete(socket)
      socket.destroy()
      resolve(text)
    }
    const timer = setTimeout(end, keepMs)
    socket.on('connect', () => socket.write(bytes))
    socket.on('data', (piece) => {
      text = (text + piece.toString('latin1')).slice(-4096)
      if (!read) socket.pause()
      else if (until.test(text)) end()
    })
    socket.on('error', end)
    socket.on('close', end)
  })
}

const head = (method, path, headers) =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`

function post(address, path, key, body) {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  }
  return exchange(address, head('POST', path, headers) + body)
}

const reports = `/api/environments/${environmentId}/impressions`
const flags = `/api/environments/${environmentId}/flags`
const name = () => randomBytes(6).toString('hex')
/** Returns a secret as long as those of the server. */
const secret = () => randomBytes(32).toString('base64url')

const KINDS = {
  garbage: () => exchange(10, randomBytes(300)),
  badJson: () => post(11, flags, serverKey, `{"key": ${'['.repeat(500)}`),
  badFlag: () =>
    post(12, flags, serverKey, JSON.stringify({ key: name(), rules: [{ kind: name() }], x: name() })),
  randomKey: () =>
    exchange(13, head('GET', '/flags/snapshot', { authorization: `Bearer sk_live_${secret()}` })),
  randomToken: () => exchange(13, head('GET', '/api/projects', { authorization: `Bearer pat_${secret()}` })),
  randomSession: () => exchange(13, head('GET', '/api/projects', { cookie: `lg_session=${secret()}` })),
  randomStream: () => exchange(14, head('GET', `/stream?sdk_key=sk_live_${secret()}`, {})),
  wrongLogin() {
    const body = JSON.stringify({ email: `${name()}@example.com`, password: name() })
    const headers = { 'content-type': 'application/json', 'content-length': body.length }
    return exchange(15, head('POST', '/api/auth/login', headers) + body)
  },
  streamOpened: () =>
    exchange(16, head('GET', '/stream', { authorization: `Bearer ${clientKey}` }), { until: /event: ready/ }),
  bigBody: () => post(17, reports, clientKey, `["${'x'.repeat(BIG_BODY_BYTES)}"]`),
  slowReader: () =>
    exchange(18, head('GET', '/stream', { authorization: `Bearer ${clientKey}` }), {
      read: false,
      keepMs: HELD_READER_MS,
    }),
  halfRequest: () => exchange(19, 'GET /health HTTP/1.1\r\nHos', { keepMs: 1_000 }),
  reports() {
    const items = Array.from({ length: 50 }, () => ({ flag_key: name(), user_id: name(), value: name() }))
    return post(20, reports, clientKey, JSON.stringify(items))
  },
}

const done = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, 0]))

async function repeat(kind) {
  while (!isStopped) {
    const text = await KINDS[kind]()
    done[kind] += 1
    const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 'none'
    statuses[status] = (statuses[status] ?? 0) + 1
  }
}

const running = Promise.all(
  Object.keys(KINDS).flatMap((kind) => Array.from({ length: LANES }, () => repeat(kind))),
)

const ANSWERS = {
  status: () => ({ done, statuses }),
  async stop() {
    isStopped = true
    for (const socket of sockets) socket.destroy()
    await running
    return { done, statuses }
  },
}
process.on('message', async ({ id, question }) => process.send({ id, answer: await ANSWERS[question]() }))
process.on('disconnect', () => process.exit())
