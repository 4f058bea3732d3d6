import { connect } from 'node:net'

/**
 * One kept-alive HTTP/1.1 connection that costs the bench as little as can be: requests are ready-made bytes, one at a time, and of
 * an answer only the status and the length are read. Answers without `Content-Length` are not understood.
 */
export async function openHttpConnection(port) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  let waiting = null
  let received = ''

  const settle = (outcome) => {
    const { resolve, reject } = waiting ?? {}
    waiting = null
    received = ''
    if (outcome instanceof Error) reject?.(outcome)
    else resolve?.(outcome)
  }
  socket.setEncoding('latin1')
  socket.on('error', settle)
  socket.on('close', () => settle(new Error('the server closed the connection')))
  socket.on('data', (text) => {
    received += text
    const answer = readAnswer(received)
    if (answer) settle(answer)
  })
  return {
    /** Sends the bytes; resolves with `{ status, body }` when the answer is complete. */
    send(bytes) {
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        socket.write(bytes)
      })
    },
    close: () => socket.destroy(),
  }
}

/** The bytes of a request with a JSON body, or without any. */
export function requestBytes({ method, path, sdk_key, body }) {
  const text = body === undefined ? '' : JSON.stringify(body)
  const headers = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...(sdk_key ? [`Authorization: Bearer ${sdk_key}`] : []),
    ...(text ? ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`] : []),
  ]
  return Buffer.from(`${headers.join('\r\n')}\r\n\r\n${text}`)
}

/** The bytes of a flag's PATCH. */
export function patchBytes({ environment_id, sdk_key }, flag_key, patch) {
  const path = `/api/environments/${environment_id}/flags/${flag_key}`
  return requestBytes({ method: 'PATCH', path, sdk_key, body: patch })
}

function readAnswer(received) {
  const head_end = received.indexOf('\r\n\r\n')
  if (head_end === -1) return null
  const head = received.slice(0, head_end)
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(head) ?? []
  const body = received.slice(head_end + 4)
  if (body.length < Number(length ?? 0)) return null
  return { status: Number(head.slice(9, 12)), body }
}
