import type { JsonValue } from '@burgee/evaluation'
import type { FlagOperation } from '../flags/index.ts'

/** The operation that a request holds: written by `open-change-request`, whose input was judged then; judged again when it is done. */
export const readOperation = (body: JsonValue): FlagOperation => body as unknown as FlagOperation
