import { APPLY_ITEM_FIELDS, findUnknownFields, isObject, PART_FIELDS } from '@burgee/contract'
import { nearestName } from './nearest-name.ts'

type Item = Readonly<Record<string, unknown>>
type List = 'segments' | 'flags' | 'invariants'

/** An unknown field of an item, probably a spelling mistake. */
interface Mistyped {
  /** The steps inside the item. */
  readonly path: readonly (string | number)[]
  readonly message: string
}

/**
 * Returns the fields of a flag, segment or invariant that do not exist. The server ignores them with a
 * warning; in a file such a field is a change that its author expects and that is never made.
 */
export function findMistyped(list: List, item: Item): Mistyped[] {
  const { create } = item
  return [
    ...mistypedIn(item, APPLY_ITEM_FIELDS[list], []),
    ...(list === 'flags' && isObject(create) ? mistypedIn(create, APPLY_ITEM_FIELDS.create, ['create']) : []),
  ]
}

function mistypedIn(item: Item, known: readonly string[], before: readonly string[]): Mistyped[] {
  return findUnknownFields(item, known)
    .filter(({ path }) => path !== '')
    .map(({ path }) => {
      const steps = path.slice(1).split('/').map(toName)
      const name = steps.at(-1) ?? ''
      const nearest = nearestName(name, steps.length === 1 ? known : PART_FIELDS)
      return {
        path: [...before, ...steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step))],
        message: `there is no field ${name}${nearest === null ? '' : `; did you mean ${nearest}?`}`,
      }
    })
}

const toName = (step: string) => step.replaceAll('~1', '/').replaceAll('~0', '~')
