/**
 * A process that holds many open streams and only reads: bytes are read into one shared buffer and searched
 * for a mark. Its parent sends messages with what to open and what to wait for (start-stream-reader.mjs).
 */
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { monotonicMs } from '../harness/monotonic-ms.mjs'

/** The connections that are opened concurrently, below the size of a server's accept queue. */
const OPENING_AT_ONCE = 256
const BUFFER_BYTES = 64 * 1024
/**
 * The bytes that are kept of the end of a read: the end of a bootstrap may be split, and a keep-alive may
 * follow it.
 */
const TAIL_BYTES = 128
const BOOTSTRAP_END = /event: ready\ndata: \d+\n\n\r\n/
const FRAME_END = Buffer.from('\n\n\r\n')

const buffer = Buffer.allocUnsafe(BUFFER_BYTES)
const streams = []
/** The awaited mark, with each stream's time of arrival, or 0. */
let awaited = null

function openStream({ port, sdk_key, isConfirming = false }, onReady) {
  const client = isConfirming ? { id: randomUUID(), port, sdk_key, spreadMs: 0, revision: 0 } : null
  const stream = { index: streams.length, tail: '', isReady: false, sawMark: false, client, head: '' }
  streams.push(stream)
  const socket = connect({
    port,
    host: '127.0.0.1',
    onread: {
      buffer,
      callback(length) {
        if (stream.isReady) readUpdate(stream, length)
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
    ...(client ? [`X-Burgee-Client: id=${client.id}, app=bench, sdk=js/0.1.0, instance=${client.id}`] : []),
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
}

function readBootstrap(stream, length, onReady) {
  if (stream.client?.spreadMs === 0) readHead(stream, buffer.toString('latin1', 0, length))
  stream.tail = (stream.tail + buffer.toString('latin1', Math.max(0, length - TAIL_BYTES), length)).slice(
    -TAIL_BYTES,
  )
  if (!BOOTSTRAP_END.test(stream.tail)) return
  stream.isReady = true
  onReady()
  if (stream.client) confirmSoon(stream.client)
}

const ACK_HEADER = /x-burgee-ack: (\d+)(?:;revision=(\d+))?/i

/** Reads what the head of the stream states about confirmations. */
function readHead(stream, text) {
  stream.head += text
  const [, spreadMs, revision] = ACK_HEADER.exec(stream.head) ?? []
  if (spreadMs === undefined) return
  stream.head = ''
  stream.client.spreadMs = Number(spreadMs)
  stream.client.revision = Number(revision)
}

/** The confirmations that were sent and have no response, or wait for their moment. */
let unanswered = 0
let onConfirmed = () => {}
let lastSpreadMs = 0

/** Confirms at a random moment, on a connection of its own: clients are processes of their own. */
function confirmSoon(client) {
  const appliedAt = monotonicMs()
  unanswered += 1
  setTimeout(() => confirm(client, appliedAt), Math.random() * client.spreadMs)
}

function confirm({ id, port, revision, sdk_key, ...client }, appliedAt) {
  const body = JSON.stringify({ client: id, applied: [[revision, monotonicMs() - appliedAt]] })
  const socket = connect({ port, host: '127.0.0.1' })
  socket.on('error', (error) => fail(`a confirmation failed: ${error.message}`))
  socket.on('data', (bytes) => {
    const text = bytes.toString('latin1')
    if (!text.startsWith('HTTP/1.1 204')) fail(`a confirmation was refused: ${text}`)
    const [, spreadMs] = ACK_HEADER.exec(text) ?? []
    lastSpreadMs = Number(spreadMs ?? client.spreadMs)
    socket.end()
    unanswered -= 1
    if (unanswered === 0) onConfirmed()
  })
  const head = [
    'POST /sdk/ack HTTP/1.1',
    'Host: 127.0.0.1',
    `Authorization: Bearer ${sdk_key}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
}

function readUpdate(stream, length) {
  if (!awaited) return
  const read = buffer.subarray(0, length)
  stream.sawMark ||= read.includes(awaited.mark)
  if (!stream.sawMark || !read.subarray(-FRAME_END.length).equals(FRAME_END)) return
  stream.sawMark = false
  awaited.arrivedAt[stream.index] = monotonicMs()
  if (stream.client) confirmUpdate(stream.client, read.toString('latin1'))
  if (++awaited.arrived === streams.length) report(awaited)
}

function confirmUpdate(client, text) {
  const [, revision] = /^id: (\d+)/m.exec(text) ?? []
  client.revision = Number(revision ?? client.revision + 1)
  client.spreadMs = lastSpreadMs
  confirmSoon(client)
}

function report({ arrivedAt, cpuBefore }) {
  awaited = null
  const { user, system } = process.cpuUsage(cpuBefore)
  const sorted = arrivedAt.sort()
  const medianAt = sorted[Math.floor((sorted.length - 1) / 2)]
  process.send({ kind: 'arrived', medianAt, last_at: sorted.at(-1), cpuMs: (user + system) / 1000 })
}

function openAll(targets) {
  const startedAt = monotonicMs()
  let next = 0
  let ready = 0
  const openNext = () => {
    if (next < targets.length) openStream(targets[next++], onReady)
  }
  function onReady() {
    if (++ready === targets.length) process.send({ kind: 'opened', took_ms: monotonicMs() - startedAt })
    else openNext()
  }
  for (let at = 0; at < OPENING_AT_ONCE; at++) openNext()
}

function fail(reason) {
  process.send({ kind: 'failed', reason }, () => process.exit(1))
}

process.on('message', (/** @type {any} */ message) => {
  if (message.kind === 'open') openAll(message.targets)
  if (message.kind === 'confirmed') {
    onConfirmed = () => process.send({ kind: 'all-confirmed', spreadMs: lastSpreadMs })
    if (unanswered === 0) onConfirmed()
  }
  if (message.kind === 'wait') {
    const arrivedAt = new Float64Array(streams.length)
    awaited = { mark: Buffer.from(message.mark), arrivedAt, arrived: 0, cpuBefore: process.cpuUsage() }
    process.send({ kind: 'waiting' })
  }
})
process.on('disconnect', () => process.exit(0))
