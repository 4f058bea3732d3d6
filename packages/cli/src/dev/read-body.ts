import type { IncomingMessage } from 'node:http'

/**
 * Reads the body of a request; null when it has more than `maxBytes`. The rest of a large one is read and
 * dropped, because a client that is still sending would not read the response.
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes <= maxBytes) chunks.push(chunk)
    else chunks.length = 0
  }
  return bytes > maxBytes ? null : Buffer.concat(chunks)
}
