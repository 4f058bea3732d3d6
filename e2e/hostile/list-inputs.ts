import type { HostileInput } from './hostile-input.ts'
import { schemas } from './inputs/schemas.ts'

/** The kinds of hostile input that `npm run full -- hostile` sends. */
export const HOSTILE_INPUTS: readonly HostileInput[] = [schemas]
