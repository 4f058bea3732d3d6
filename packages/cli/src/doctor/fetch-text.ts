import { connectionProblem } from '../api/connection-problem.ts'

const TIMEOUT_MS = 10_000

/** A response with the beginning of its text. */
export interface TextResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Requests an address, and reads at most `maxBytes` of the response. */
export async function fetchText(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  maxBytes = 65_536,
): Promise<TextResponse> {
  const stop = new AbortController()
  const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(TIMEOUT_MS)])
  const response = await fetch(url, { headers, signal, redirect: 'manual' })
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length
      text += decoder.decode(chunk, { stream: true })
      if (bytes >= maxBytes) break
    }
  } finally {
    stop.abort()
  }
  return { status: response.status, headers: response.headers, text }
}

/** Returns why a request failed, in a few words. */
export const reasonOf = (error: unknown): string => connectionProblem(error).reason
