import { connect } from 'node:net'

/**
 * Many readers of a stream in one process, each with its own socket. Its argument is JSON: {port, path,
 * headers, count, reconnect}. With `reconnect` all that lost their connection reconnect at the same moment,
 * when a server listens again.
 */
const { count, headers, path = '/stream', port, reconnect = false } = JSON.parse(process.argv[2])

const READY = 'event: ready'
const PROBE_EVERY_MS = 20
const RETRY_MS = 250
const HEAD = [
  `GET ${path} HTTP/1.1`,
  'Host: 127.0.0.1',
  ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
]
const REQUEST = `${HEAD.join('\r\n')}\r\n\r\n`

const sockets = new Set()
let ready = 0
let lost = 0
let isPaused = false
let lastReadyAt = 0
/** The number of readers that wait for a server to listen. */
let waiting = 0

function open() {
  const socket = connect(port, '127.0.0.1')
  let tail = ''
  let isReady = false
  sockets.add(socket)
  socket.setNoDelay(true)
  socket.on('connect', () => socket.write(REQUEST))
  socket.on('data', (bytes) => {
    if (isReady) return
    const text = tail + bytes.toString('latin1')
    tail = text.slice(-READY.length)
    if (!text.includes(READY)) return
    isReady = true
    ready += 1
    lastReadyAt = Date.now()
    if (isPaused) socket.pause()
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    sockets.delete(socket)
    lost += 1
    if (isReady) {
      ready -= 1
      if (reconnect) comeBackTogether()
    } else if (reconnect) setTimeout(open, RETRY_MS)
  })
}

function comeBackTogether() {
  waiting += 1
  if (waiting === 1) probe()
}

function probe() {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => setTimeout(probe, PROBE_EVERY_MS))
  socket.on('connect', () => {
    socket.destroy()
    const together = waiting
    waiting = 0
    for (let client = 0; client < together; client += 1) open()
  })
}

const ANSWERS = {
  status: () => ({ ready, lost, open: sockets.size, lastReadyAt }),
  pause() {
    isPaused = true
    for (const socket of sockets) socket.pause()
  },
}
process.on('message', ({ id, question }) => process.send({ id, answer: ANSWERS[question]() ?? null }))
process.on('disconnect', () => process.exit())
for (let client = 0; client < count; client += 1) open()
