import { reasonOf } from './fetch-text.ts'
import { type Finding, findingsOf } from './finding.ts'

/** The time for the first part of a stream, which the server sends at once. */
const FIRST_PART_MS = 5_000

/** Opens a stream with an SDK key, and checks that its first part arrives while the stream stays open. */
export async function checkStream(url: string, sdkKey: string | undefined): Promise<Finding> {
  const { ok, problem, skipped, warning } = findingsOf('streams')
  if (!sdkKey) return skipped('needs --sdk-key, or a server key as --token')
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(), FIRST_PART_MS)
  try {
    const response = await fetch(`${url}/stream`, {
      headers: { authorization: `Bearer ${sdkKey}`, accept: 'text/event-stream' },
      redirect: 'manual',
      signal: stop.signal,
    })
    if (response.status !== 200)
      return problem(
        `GET /stream returned ${response.status}`,
        'Check that the key is one of this server, and not revoked.',
      )
    const first = await response.body?.getReader().read()
    if (first === undefined || first.done) return problem('the stream ended at once', PROXY_ADVICE)
    if (response.headers.has('content-encoding'))
      return warning('the proxy compresses streams, which may hold changes back', PROXY_ADVICE)
    return ok('the first part of a stream arrives while it is open')
  } catch (error) {
    if (stop.signal.aborted)
      return problem(
        `nothing of a stream arrived within ${FIRST_PART_MS / 1_000} s: a proxy buffers it`,
        PROXY_ADVICE,
      )
    return problem(`a stream could not be opened: ${reasonOf(error)}`, PROXY_ADVICE)
  } finally {
    clearTimeout(timer)
    stop.abort()
  }
}

const PROXY_ADVICE =
  'Switch off buffering, caching and compression for /stream in the proxy, and allow a minute of silence (docs/hardening.md).'
