import { Gap } from '../../gap.ts'
import { isObject, type JsonObject } from '../../reading.ts'

interface Operation {
  readonly name: string
  readonly args: readonly unknown[]
}

/** Returns the one operation of a node of JSONLogic; a single argument may stand without a list. */
export function operationOf(node: JsonObject): Operation {
  const [entry, ...others] = Object.entries(node)
  if (!entry || others.length > 0)
    throw new Gap('logic', 'A node of the targeting does not have one operation.')
  const [name, args] = entry
  return { name, args: Array.isArray(args) ? args : [args] }
}

/** The nodes of one flag after shared conditions were put in. */
const NODES_MAX = 5_000
const DEPTH_MAX = 50

/** Returns the targeting with each `$ref` replaced by its shared condition. */
export function resolveReferences(targeting: unknown, evaluators: JsonObject): unknown {
  let nodes = 0
  const resolve = (node: unknown, depth: number): unknown => {
    nodes += 1
    if (nodes > NODES_MAX || depth > DEPTH_MAX) throw new Gap('too_deep', 'The targeting is too large.')
    if (Array.isArray(node)) return node.map((one) => resolve(one, depth + 1))
    if (!isObject(node)) return node
    const { $ref } = node
    if (typeof $ref === 'string') {
      if (!Object.hasOwn(evaluators, $ref))
        throw new Gap('unknown_reference', `There is no evaluator ${$ref}.`)
      return resolve(evaluators[$ref], depth + 1)
    }
    return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, resolve(value, depth + 1)]))
  }
  return resolve(targeting, 0)
}
