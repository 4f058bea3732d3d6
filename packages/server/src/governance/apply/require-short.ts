import { type ApplyInput, BODY_MAX_BYTES } from '@burgee/contract'
import { Refusal } from '../../kernel/refusal.ts'
import { shareTurn } from '../../platform/concurrency/turns.ts'

/**
 * Requires that what is applied would fit into an ordinary body: only the users of an impact may take more.
 * Its length is that of compact JSON.
 */
export async function requireShort({
  users: _,
  flags = [],
  segments = [],
  ...rest
}: ApplyInput): Promise<void> {
  let length = 0
  for (const part of [rest, ...segments, ...flags]) {
    await shareTurn()
    length += JSON.stringify(part).length
    if (length > BODY_MAX_BYTES)
      throw new Refusal(
        'too_large',
        'Flags, segments and the rest but users may have 1 MiB together. Apply them in parts.',
      )
  }
}
