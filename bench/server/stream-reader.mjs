/**
 * A process that holds many open streams and does nothing but read: bytes land in one shared buffer and are searched for a mark.
 * Its parent tells it, message by message, what to open and what to wait for (start-stream-reader.mjs).
 */
import { connect } from 'node:net'
import { monotonicMs } from '../harness/monotonic-ms.mjs'

/** Connections that are being opened at the same time; below what a server's accept queue holds. */
const OPENING_AT_ONCE = 256
const BUFFER_BYTES = 64 * 1024
/** What is kept of the end of a read: a bootstrap's end may come in two, and a keep-alive may follow it at once. */
const TAIL_BYTES = 128
const BOOTSTRAP_END = /event: ready\ndata: \d+\n\n\r\n/
const FRAME_END = Buffer.from('\n\n\r\n')

const buffer = Buffer.allocUnsafe(BUFFER_BYTES)
const streams = []
/** What is waited for: each stream's time of arrival, or 0. */
let awaited = null

function openStream({ port, sdk_key }, onReady) {
  const stream = { index: streams.length, tail: '', is_ready: false, saw_mark: false }
  streams.push(stream)
  const socket = connect({
    port,
    host: '127.0.0.1',
    onread: {
      buffer,
      callback(length) {
        if (stream.is_ready) readUpdate(stream, length)
        else readBootstrap(stream, length, onReady)
        return true
      },
    },
  })
  socket.on('error', (error) => fail(error.message))
  socket.on('close', () => fail('a stream was closed by the server'))
  const head = [
    'GET /stream HTTP/1.1',
    'Host: 127.0.0.1',
    'Accept: text/event-stream',
    `Authorization: Bearer ${sdk_key}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
}

function readBootstrap(stream, length, onReady) {
  stream.tail = (stream.tail + buffer.toString('latin1', Math.max(0, length - TAIL_BYTES), length)).slice(
    -TAIL_BYTES,
  )
  if (!BOOTSTRAP_END.test(stream.tail)) return
  stream.is_ready = true
  onReady()
}

function readUpdate(stream, length) {
  if (!awaited) return
  const read = buffer.subarray(0, length)
  stream.saw_mark ||= read.includes(awaited.mark)
  if (!stream.saw_mark || !read.subarray(-FRAME_END.length).equals(FRAME_END)) return
  stream.saw_mark = false
  awaited.arrived_at[stream.index] = monotonicMs()
  if (++awaited.arrived === streams.length) report(awaited)
}

function report({ arrived_at, cpu_before }) {
  awaited = null
  const { user, system } = process.cpuUsage(cpu_before)
  const sorted = arrived_at.sort()
  const median_at = sorted[Math.floor((sorted.length - 1) / 2)]
  process.send({ kind: 'arrived', median_at, last_at: sorted.at(-1), cpu_ms: (user + system) / 1000 })
}

function openAll(targets) {
  const started_at = monotonicMs()
  let next = 0
  let ready = 0
  const openNext = () => {
    if (next < targets.length) openStream(targets[next++], onReady)
  }
  function onReady() {
    if (++ready === targets.length) process.send({ kind: 'opened', took_ms: monotonicMs() - started_at })
    else openNext()
  }
  for (let at = 0; at < OPENING_AT_ONCE; at++) openNext()
}

function fail(reason) {
  process.send({ kind: 'failed', reason }, () => process.exit(1))
}

process.on('message', (/** @type {any} */ message) => {
  if (message.kind === 'open') openAll(message.targets)
  if (message.kind === 'wait') {
    const arrived_at = new Float64Array(streams.length)
    awaited = { mark: Buffer.from(message.mark), arrived_at, arrived: 0, cpu_before: process.cpuUsage() }
    process.send({ kind: 'waiting' })
  }
})
process.on('disconnect', () => process.exit(0))
