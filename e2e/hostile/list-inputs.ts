import type { HostileInput } from './hostile-input.ts'
import { evaluations } from './inputs/evaluations.ts'
import { references } from './inputs/references.ts'
import { schemas } from './inputs/schemas.ts'

/** The kinds of hostile input that `npm run full -- hostile` sends. */
export const HOSTILE_INPUTS: readonly HostileInput[] = [schemas, evaluations, references]
