import { isUuid } from '../../kernel/is-uuid.ts'
import type { Hint } from './bus.ts'

/** The length above which messages are ignored. Our own are far shorter. */
const MAX_MESSAGE_CHARS = 64_000

/**
 * The number of hints in a message. NOTIFY refuses payloads of 8,000 bytes; a `changes` hint takes about 100.
 */
const HINTS_PER_MESSAGE = 60

/** Formats hints as messages below the limit of NOTIFY. */
export function writeHints(hints: readonly Hint[]): string[] {
  const messages: string[] = []
  for (let start = 0; start < hints.length; start += HINTS_PER_MESSAGE) {
    messages.push(JSON.stringify(hints.slice(start, start + HINTS_PER_MESSAGE)))
  }
  return messages
}

/** Parses the hints of a message and ignores everything else: others may be able to write to the bus. */
export function readHints(message: unknown): Hint[] {
  if (typeof message !== 'string' || message.length > MAX_MESSAGE_CHARS) return []
  try {
    const items: unknown = JSON.parse(message)
    return Array.isArray(items) ? items.map(readHint).filter((hint) => hint !== null) : []
  } catch {
    return []
  }
}

function readHint(item: unknown): Hint | null {
  if (typeof item !== 'object' || item === null || !('kind' in item)) return null
  if (item.kind === 'revocations') return { kind: item.kind }
  if (item.kind !== 'changes' || !('environment_id' in item) || !('revision' in item)) return null
  const { environment_id, revision } = item
  if (typeof environment_id !== 'string' || !isUuid(environment_id)) return null
  if (typeof revision !== 'number' || !Number.isSafeInteger(revision) || revision < 0) return null
  return { kind: 'changes', environment_id, revision }
}
