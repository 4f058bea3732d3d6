import { invalid } from '../kernel/refusal.ts'
import { shareTurn } from '../platform/concurrency/turns.ts'
import type { FlagChange } from './flag-change.ts'

/**
 * The characters of JSON that one write may send to SDKs. A segment in many large flags could otherwise reach
 * gigabytes.
 */
const WRITE_JSON_MAX = 32 * 1024 * 1024

/**
 * Formats the flags of the changes as JSON. Refuses with `invalid` when they are larger than one write may
 * send.
 */
export async function changeTexts(changes: readonly FlagChange[]): Promise<(string | null)[]> {
  const texts: (string | null)[] = []
  let length = 0
  for (const change of changes) {
    await shareTurn()
    const text = change.kind === 'upsert' ? JSON.stringify({ ...change.flag, origins: undefined }) : null
    length += text?.length ?? 0
    if (length > WRITE_JSON_MAX) throw tooLarge()
    texts.push(text)
  }
  return texts
}

const tooLarge = () =>
  invalid([
    {
      path: '',
      message: `would send more than ${WRITE_JSON_MAX} characters to every SDK at once; reduce the rules, or the flags that name the segment`,
    },
  ])
