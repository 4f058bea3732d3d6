import { isObject } from '@burgee/contract'
/** The stream's report on one flag: its revision, or that SDKs no longer see it (null). */
export interface StreamUpdate {
  readonly key: string
  readonly revision: number | null
}

/**
 * Reads the data of an `update` event (docs/reference/streaming.md#stream-contents). Null for what is not
 * about a flag of this environment, or of a kind that a later server may send.
 */
export function readStreamUpdate(text: string, env_id: string): StreamUpdate | null {
  const update = parse(text)
  if (!isObject(update) || update.env_id !== env_id) return null
  if (update.type === 'DELETE') {
    return typeof update.key === 'string' ? { key: update.key, revision: null } : null
  }
  const { flag } = update
  if (update.type !== 'UPSERT' || !isObject(flag)) return null
  const { key, revision } = flag
  return typeof key === 'string' && typeof revision === 'number' ? { key, revision } : null
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
