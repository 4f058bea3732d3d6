import { USER_KEY } from '../../conditions.ts'
import { Gap } from '../../gap.ts'
import { isObject } from '../../reading.ts'
import { operationOf } from './flagd-nodes.ts'

/** The flag whose conditions are translated. */
export interface LogicContext {
  readonly flagKey: string
  /** Records that a condition is only nearly the same. */
  readonly approximate: (code: string, message: string) => void
}

/** One side of a comparison: an attribute of the user, or a constant. */
export type Operand = { readonly attribute: string } | { readonly constant: unknown }

/** Reads an attribute or a constant. Refuses everything that is computed. */
export function operandOf(node: unknown, { flagKey }: Pick<LogicContext, 'flagKey'>): Operand {
  if (!isObject(node)) return { constant: node }
  const { args, name } = operationOf(node)
  const [path, fallback] = args
  if (name !== 'var' || typeof path !== 'string' || (fallback !== undefined && fallback !== null))
    throw new Gap('logic', `The operation ${JSON.stringify(name)} has no equal.`)
  if (path === '$flagd.flagKey') return { constant: flagKey }
  if (path.startsWith('$flagd.')) throw new Gap('clock', `${path} changes with time, which no flag reads.`)
  return { attribute: path === 'targetingKey' ? USER_KEY : path }
}
