import type { CallInit } from '../../shared/api/call.ts'

/** Sends a request like `fetch`, and reports the part of its body that is sent, from 0 to 1. */
export const fetchWithUpload =
  (onSent: (share: number) => void) =>
  (url: string, { body, headers, method, signal }: CallInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const request = new XMLHttpRequest()
      request.open(method, url)
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
      request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
        if (lengthComputable) onSent(loaded / total)
      }
      request.upload.onload = () => onSent(1)
      request.onload = () => resolve(new Response(request.responseText, { status: request.status }))
      request.onerror = () => reject(new TypeError('The request failed.'))
      request.onabort = () => reject(new DOMException('The request was aborted.', 'AbortError'))
      signal?.addEventListener('abort', () => request.abort(), { once: true })
      request.send(body ?? null)
    })
