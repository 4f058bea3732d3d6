import type { CheckRun } from '../check-run.ts'
import { identityOf } from '../json-identity.ts'
import type { ReadSchema } from '../read-schema.ts'
import type { RuleOf } from './rule-source.ts'

type List = readonly unknown[]

export const LIST_RULES: Readonly<Record<string, RuleOf<List>>> = {
  minItems: (limit) => (run, list) =>
    list.length >= Number(limit) || run.fail(`must not have fewer than ${limit} items`),
  maxItems: (limit) => (run, list) =>
    list.length <= Number(limit) || run.fail(`must not have more than ${limit} items`),
  prefixItems(argument) {
    const schemas = argument as readonly ReadSchema[]
    return (run, list, parts) => {
      const count = Math.min(schemas.length, list.length)
      for (let index = 0; index < count; index += 1)
        if (!run.fitsAt(index, schemas[index] ?? true, list[index])) return false
      parts?.addBefore(count)
      return true
    }
  },
  items(argument, { schema }) {
    const each = argument as ReadSchema
    const first = Array.isArray(schema.prefixItems) ? schema.prefixItems.length : 0
    return (run, list, parts) => {
      for (let index = first; index < list.length; index += 1)
        if (!run.fitsAt(index, each, list[index])) return false
      parts?.addAll()
      return true
    }
  },
  contains(argument, { schema }) {
    const { maxContains = Number.POSITIVE_INFINITY, minContains = 1 } = schema as Contains
    const each = argument as ReadSchema
    return (run, list, parts) => {
      let count = 0
      for (let index = 0; index < list.length; index += 1) {
        const isEnough = count >= minContains && maxContains === Number.POSITIVE_INFINITY
        if (isEnough && !parts) break
        if (!run.fitsBranch(each, list[index], null)) continue
        parts?.add(index)
        count += 1
        if (count > maxContains) return run.fail(`must not contain more than ${maxContains} valid items`)
      }
      return count >= minContains || run.fail(`must contain at least ${minContains} valid items`)
    }
  },
  uniqueItems: (isRequired) =>
    isRequired === true
      ? (run, list) => isUnique(run, list) || run.fail('must not have duplicate items')
      : null,
}

export const LAST_LIST_RULES: Readonly<Record<string, RuleOf<List>>> = {
  unevaluatedItems(argument) {
    const each = argument as ReadSchema
    return (run, list, parts) => {
      run.spend(list.length)
      for (let index = 0; index < list.length; index += 1) {
        if (parts?.has(index)) continue
        if (each === false) return run.fail('must not have unevaluated items')
        if (!run.fitsAt(index, each, list[index])) return false
      }
      parts?.addAll()
      return true
    }
  },
}

interface Contains {
  readonly minContains?: number
  readonly maxContains?: number
}

function isUnique(run: CheckRun, list: List): boolean {
  const known = run.unique.get(list)
  if (known !== undefined) return known
  const found = new Set<unknown>()
  for (const item of list) found.add(identityOf(item, run.names, run.spend))
  const isFit = found.size === list.length
  run.unique.set(list, isFit)
  return isFit
}
