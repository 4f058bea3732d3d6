import type { Flag } from '@burgee/contract'
import type { WireFlag } from '../../kernel/wire-flag.ts'
import { shareTurn } from '../../platform/concurrency/turns.ts'
import type { EnvironmentRead } from '../flag-model/index.ts'
import { namesSegments, toWireFlag } from '../flag-model/index.ts'
import { readSegments } from '../segment-rows/index.ts'

/** Expands a flag for the SDKs of the environment. Refuses with `invalid` when it becomes too large. */
export async function expandFlag({ environment, tx }: EnvironmentRead, flag: Flag): Promise<WireFlag> {
  const segments = namesSegments(flag) ? await readSegments(tx, environment.id) : new Map()
  await shareTurn()
  return toWireFlag(flag, segments)
}

/**
 * Refuses with `invalid` a flag that is too large to send: before it is stored for later, as before a direct
 * write.
 */
export async function requireSendable(read: EnvironmentRead, flag: Flag | null): Promise<void> {
  if (flag?.archived_at === null) await expandFlag(read, flag)
}
