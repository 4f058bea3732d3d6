import {
  APPLY_ITEM_FIELDS,
  type AppliedChange,
  type AppliedFlag,
  ApplyInput,
  findUnknownFields,
  type Warning,
} from '@burgee/contract'
import { shareTurn } from '../../platform/concurrency/turns.ts'

const BODY_FIELDS = Object.keys(ApplyInput.properties)

/** Returns a warning for each unknown field of a flag, also of those for its creation. */
export function findUnknownInFlag(flag: AppliedFlag): Warning[] {
  const { create } = flag
  const inCreate = create ? findUnknownFields(create, APPLY_ITEM_FIELDS.create) : []
  return [...findUnknownFields(flag, APPLY_ITEM_FIELDS.flags), ...below('/create', inCreate)]
}

/**
 * Returns a warning for each unknown field of the body and of the segments and flags that do not change: a
 * change has its own warnings, and a mistyped field can be the reason why there is none.
 */
export async function findUnknown(input: ApplyInput, changes: readonly AppliedChange[]): Promise<Warning[]> {
  const { flags = [], segments = [] } = input
  const changed = new Set(changes.map(({ key, resource }) => `${resource}:${key}`))
  const found = [findUnknownFields(input, BODY_FIELDS)]
  for (const [index, segment] of segments.entries()) {
    await shareTurn()
    if (!changed.has(`segment:${segment.key}`))
      found.push(below(`/segments/${index}`, findUnknownFields(segment, APPLY_ITEM_FIELDS.segments)))
  }
  for (const [index, flag] of flags.entries()) {
    await shareTurn()
    if (!changed.has(`flag:${flag.key}`)) found.push(below(`/flags/${index}`, findUnknownInFlag(flag)))
  }
  return found.flat()
}

/** Unknown fields beyond those that are listed have no path. */
const below = (path: string, warnings: readonly Warning[]): Warning[] =>
  warnings.map((warning) => (warning.path === '' ? warning : { ...warning, path: path + warning.path }))
