import { ApiError } from '../../shared/api/api-error.ts'
import { sessionExpiry } from '../../shared/api/session-signals.ts'

interface ExportOptions {
  readonly signal: AbortSignal
  /** Called while it goes on, with the entries so far. */
  readonly onProgress: (entries: number) => void
}

const NDJSON = 'application/x-ndjson'
const NEW_LINE = 10

/** Everything that matches, one JSON text a line, as a file. */
export async function exportAudit(url: string, { onProgress, signal }: ExportOptions): Promise<Blob> {
  const response = await fetch(url, {
    headers: { accept: NDJSON },
    credentials: 'same-origin',
    signal,
  })
  if (response.status === 401) sessionExpiry.announce()
  if (!response.ok || !response.body) {
    throw new ApiError(response.status, { error: `The server responded with ${response.status}. Try again.` })
  }
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let entries = 0
  for (const reader = response.body.getReader(); ; ) {
    const { done, value } = await reader.read()
    if (done) break
    chunks.push(value)
    entries += value.reduce((lines, byte) => (byte === NEW_LINE ? lines + 1 : lines), 0)
    onProgress(entries)
  }
  return new Blob(chunks, { type: NDJSON })
}
