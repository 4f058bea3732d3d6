import type { Flag, RuleOrigin } from '@burgee/contract'
import { ApiError } from '../../shared/api/api-error.ts'
import { call, urlOf } from '../../shared/api/call.ts'

/** The time that a bootstrap may take before it counts as failed. */
const PATIENCE_MS = 20_000

/** A flag as SDKs have it, with the written rules that its expanded ones come from. */
export type StreamedFlag = Flag & { readonly origins?: readonly RuleOrigin[] }

/**
 * The flags of an environment as SDKs have them, with segments expanded and the origins of their rules. They
 * are the bootstrap of a stream, which is closed as soon as it is complete. (The snapshot endpoint is for SDK
 * keys and refuses sessions.)
 */
export function readStreamFlags(
  environment_id: string,
  signal: AbortSignal,
): Promise<readonly StreamedFlag[]> {
  return new Promise((resolve, reject) => {
    const source = new EventSource(urlOf('openStream', { query: { environment_id, origins: true } }))
    const flags: StreamedFlag[] = []
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
      // A stream does not state why it was refused: this call lets the page know when the session has ended.
      call('getCurrentUser', {}).catch(() => undefined)
      fail(unreachable())
    })
  })
}

const unreachable = () =>
  new ApiError(0, { error: 'The stream of flags did not respond. Check your connection and try again.' })

interface Update {
  readonly type?: unknown
  readonly flag?: Flag
  readonly origins?: readonly RuleOrigin[]
}

/** The flag of an update; null for anything else. */
function parseUpsert(text: string): StreamedFlag | null {
  const { flag, origins, type }: Update = JSON.parse(text)
  return type === 'UPSERT' && flag ? { ...flag, ...(origins && { origins }) } : null
}
