import { USER_KEY } from '../../conditions.ts'
import { Gap } from '../../gap.ts'
import { isObject } from '../../reading.ts'
import { operationOf } from './flagd-nodes.ts'

/** The flag whose conditions are translated. */
export interface LogicContext {
  readonly flagKey: string
  /** GO Feature Flag knows JSONLogic too, without the operations of flagd. */
  readonly dialect: 'flagd' | 'goff'
  /** Records that a condition is only nearly the same. */
  readonly approximate: (code: string, message: string) => void
  /** Records that another engine of the same service differs from the one that Burgee agrees with. */
  readonly differ?: (message: string) => void
}

/** One side of a comparison: an attribute of the user, or a constant. */
export type Operand = { readonly attribute: string } | { readonly constant: unknown }

/** Reads an attribute or a constant. Refuses everything that is computed. */
export function operandOf(node: unknown, { dialect, flagKey }: LogicContext): Operand {
  if (!isObject(node)) return { constant: node }
  const { args, name } = operationOf(node)
  const [path, fallback] = args
  if (name !== 'var' || typeof path !== 'string' || (fallback !== undefined && fallback !== null))
    throw new Gap('logic', `The operation ${JSON.stringify(name)} has no equal.`)
  if (path === '') throw new Gap('logic', 'It reads all attributes at once.')
  if (dialect === 'goff') return { attribute: goffAttribute(path) }
  if (path === '$flagd.flagKey') return { constant: flagKey }
  if (path.startsWith('$flagd.')) throw new Gap('clock', `${path} changes with time, which no flag reads.`)
  return { attribute: path === 'targetingKey' ? USER_KEY : path }
}

function goffAttribute(path: string): string {
  if (path === 'anonymous') throw new Gap('logic', 'It reads anonymous, which is false for users without it.')
  return path === 'key' || path === 'targetingKey' ? USER_KEY : path
}
