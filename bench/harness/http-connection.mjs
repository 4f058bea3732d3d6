import { connect } from 'node:net'

/**
 * Opens a kept-alive HTTP/1.1 connection that costs the bench as little as possible: requests are prepared
 * bytes, one at a time, and of a response only the status and the length are read. Responses without
 * `Content-Length` are not supported.
 */
export async function openHttpConnection(port) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  let waiting = null
  let reply = startResponse()

  const settle = (outcome) => {
    const { resolve, reject } = waiting ?? {}
    waiting = null
    reply = startResponse()
    if (outcome instanceof Error) reject?.(outcome)
    else resolve?.(outcome)
  }
  socket.setEncoding('latin1')
  socket.on('error', settle)
  socket.on('close', () => settle(new Error('the server closed the connection')))
  socket.on('data', (text) => {
    readInto(reply, text)
    if (reply.missing <= 0) settle({ status: reply.status, body: reply.parts.join('') })
  })
  return {
    /** Sends the bytes; resolves with `{ status, body }` when the response is complete. */
    send(bytes) {
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        socket.write(bytes)
      })
    },
    close: () => socket.destroy(),
  }
}

/**
 * Builds the bytes of a request with or without a JSON body.
 * @param {{ method: string, path: string, sdk_key?: string, headers?: Record<string, string>, body?: unknown
 *   }} request
 */
export function requestBytes({ method, path, sdk_key, headers: more = {}, body }) {
  const text = body === undefined ? '' : JSON.stringify(body)
  const headers = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...(sdk_key ? [`Authorization: Bearer ${sdk_key}`] : []),
    ...Object.entries(more).map(([name, value]) => `${name}: ${value}`),
    ...(text ? ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`] : []),
  ]
  return Buffer.from(`${headers.join('\r\n')}\r\n\r\n${text}`)
}

/** Builds the bytes of a flag's PATCH. */
export function patchBytes({ environment_id, sdk_key }, flag_key, patch) {
  const path = `/api/environments/${environment_id}/flags/${flag_key}`
  return requestBytes({ method: 'PATCH', path, sdk_key, body: patch })
}

/**
 * Starts reading a response. `missing` is the number of bytes of the body that are still to come; infinite
 * while the head is incomplete.
 */
const startResponse = () => ({ status: 0, head: '', parts: [], missing: Number.POSITIVE_INFINITY })

/**
 * Reads a piece of a response. One of megabytes arrives in hundreds of pieces: they are counted, and joined
 * once.
 */
function readInto(reply, text) {
  let body = text
  if (reply.status === 0) {
    reply.head += text
    const headEnd = reply.head.indexOf('\r\n\r\n')
    if (headEnd === -1) return
    const head = reply.head.slice(0, headEnd)
    body = reply.head.slice(headEnd + 4)
    reply.status = Number(head.slice(9, 12))
    reply.missing = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
  }
  reply.parts.push(body)
  reply.missing -= body.length
}
