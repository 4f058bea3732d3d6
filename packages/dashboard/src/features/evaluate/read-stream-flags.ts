import type { Flag, RuleOrigin as StreamedOrigin } from '@burgee/contract'
import { ApiError } from '../../shared/api/api-error.ts'
import { call, urlOf } from '../../shared/api/call.ts'
import { type Origins, type RuleOrigin, spreadOrigins } from './rule-origins.ts'

/** The time that a bootstrap may take before it counts as failed. */
const PATIENCE_MS = 20_000

export interface StreamedFlags {
  readonly flags: readonly Flag[]
  readonly origins: Origins
}

/**
 * The flags of an environment as SDKs have them, with segments expanded and the origins of their rules. They
 * are the bootstrap of a stream, which is closed as soon as it is complete. (The snapshot endpoint is for SDK
 * keys and refuses sessions.)
 */
export function readStreamFlags(environment_id: string, signal: AbortSignal): Promise<StreamedFlags> {
  return new Promise((resolve, reject) => {
    const source = new EventSource(urlOf('openStream', { query: { environment_id, origins: true } }))
    const flags: Flag[] = []
    const origins = new Map<string, readonly RuleOrigin[]>()
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
      const update = parseUpsert(event.data)
      if (!update) return
      flags.push(update.flag)
      if (update.origins) origins.set(update.flag.key, spreadOrigins(update.origins))
    })
    source.addEventListener('ready', () => {
      finish()
      resolve({ flags, origins })
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

interface Upsert {
  readonly flag: Flag
  readonly origins?: readonly StreamedOrigin[]
}

/** An update with its flag; null for anything else. */
function parseUpsert(text: string): Upsert | null {
  const { flag, origins, type }: { type?: unknown } & Partial<Upsert> = JSON.parse(text)
  return type === 'UPSERT' && flag ? { flag, ...(origins && { origins }) } : null
}
