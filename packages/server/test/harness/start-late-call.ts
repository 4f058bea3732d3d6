import { type ClientRequest, type IncomingMessage, request } from 'node:http'

export interface LateCall {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The body, sent as JSON at the end. */
  readonly body: unknown
}

export interface StartedCall {
  /** Returns whether it was answered before its body was sent. */
  responded(): boolean
  /** Sends the body and returns the response's status. */
  finish(): Promise<number>
}

/** Sends a request's headers at once, and its body when a test decides. */
export function startLateCall({ body, headers, method, url }: LateCall): StartedCall {
  const text = JSON.stringify(body)
  let answered = false
  const sent: ClientRequest = request(url, {
    method,
    agent: false,
    headers: {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
      ...headers,
    },
  })
  const status = new Promise<number>((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', (answer: IncomingMessage) => {
      answered = true
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
  })
  sent.flushHeaders()
  return {
    responded: () => answered,
    finish() {
      sent.end(text)
      return status
    },
  }
}
