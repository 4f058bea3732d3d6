import type { Flag } from '@burgee/contract'
import { ApiError } from '../../shared/api/api-error.ts'
import { call, urlOf } from '../../shared/api/call.ts'

/** The time that a bootstrap may take before it counts as failed. */
const PATIENCE_MS = 20_000

/**
 * The flags of an environment as SDKs have them, with segments expanded. They are the bootstrap of a stream,
 * which is closed as soon as it is complete. (The snapshot endpoint is for SDK keys and refuses sessions.)
 */
export function readStreamFlags(environment_id: string, signal: AbortSignal): Promise<Flag[]> {
  return new Promise((resolve, reject) => {
    const source = new EventSource(urlOf('openStream', { query: { environment_id } }))
    const flags: Flag[] = []
    const fail = (error: Error) => {
      finish()
      reject(error)
    }
    const onAbort = () => fail(new DOMException('No longer wanted', 'AbortError'))
    const timer = setTimeout(() => fail(unreachable()), PATIENCE_MS)
    const finish = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      source.close()
    }
    signal.addEventListener('abort', onAbort)
    source.addEventListener('update', (event) => {
      const flag = parseUpsert(event.data)
      if (flag) flags.push(flag)
    })
    source.addEventListener('ready', () => {
      finish()
      resolve(flags)
    })
    source.addEventListener('error', () => {
      // A stream does not say why it was refused: this call lets the page know when the session has ended.
      call('getCurrentUser', {}).catch(() => undefined)
      fail(unreachable())
    })
  })
}

const unreachable = () =>
  new ApiError(0, { error: 'The stream of flags did not answer. Check your connection and try again.' })

/** The flag of an update; null for anything else. */
function parseUpsert(text: string): Flag | null {
  const update: { type?: unknown; flag?: Flag } = JSON.parse(text)
  return update.type === 'UPSERT' && update.flag ? update.flag : null
}
