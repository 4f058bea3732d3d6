import { createFlagSet, type JsonValue } from '@burgee/evaluation'
import type { Outcome, RuleDraft, Weighted } from '../../drafts.ts'
import { ALWAYS, all, type Expression, isSet, not } from '../../expression.ts'
import { Gap } from '../../gap.ts'
import { isObject, type JsonObject, jsonOf, textForm } from '../../reading.ts'
import { conditionOf } from './flagd-logic.ts'
import { operationOf } from './flagd-nodes.ts'
import { type LogicContext, operandOf } from './flagd-operands.ts'

export interface OutcomeContext extends LogicContext {
  readonly variants: JsonObject
  /** Records what the program must send. */
  readonly remark: (code: string, message: string) => void
  /** The value where the targeting gives nothing. */
  readonly defaultValue: JsonValue
}

/** Translates targeting into rules. The last one is for every user. */
export function rulesOf(node: unknown, context: OutcomeContext): readonly RuleDraft[] {
  return flatten(hoist(node), ALWAYS, context)
}

/** A chain of `if` is a list of rules: a later one need not repeat that the earlier ones did not match. */
function flatten(node: unknown, guard: Expression, context: OutcomeContext): readonly RuleDraft[] {
  if (!isObject(node))
    return [{ when: guard, serve: { kind: 'value', value: variantValueOf(node, context) } }]
  const { args, name } = operationOf(node)
  if (name === 'fractional') return sharesOf(args, guard, context)
  if (name !== 'if') throw new Gap('logic', `The operation ${JSON.stringify(name)} decides the variant.`)
  const rules: RuleDraft[] = []
  let rest = args
  while (rest.length >= 2) {
    const [condition, then, ...others] = rest
    rules.push(...flatten(then, all([guard, conditionOf(condition, context)]), context))
    rest = others
  }
  return [...rules, ...flatten(rest[0] ?? null, guard, context)]
}

/** Returns the value of a variant by the name that the targeting gives; null gives the default variant. */
function variantValueOf(name: unknown, { defaultValue, variants }: OutcomeContext): JsonValue {
  if (name === null || name === undefined) return defaultValue
  const key = textForm(name)
  // An unknown variant is an error there, for which the code's default is used.
  return Object.hasOwn(variants, key) ? jsonOf(variants[key]) : null
}

/** Pulls an `if` inside a share out of it, so that the share itself is constant. */
function hoist(node: unknown, pulled = 0): unknown {
  if (Array.isArray(node)) return node.map((one) => hoist(one, pulled))
  if (!isObject(node)) return node
  const { args, name } = operationOf(node)
  if (name === 'if')
    return { if: args.map((arg, index) => (isBranch(index, args.length) ? hoist(arg, pulled) : arg)) }
  if (name !== 'fractional') return node
  const found = findIf(args)
  if (!found) return node
  // Each doubles the shares.
  if (pulled >= PULLED_MAX) throw new Gap('too_many_cases', 'A share has too many conditions inside.')
  const [condition, then, ...others] = found.args
  const otherwise = others.length > 1 ? { if: others } : (others[0] ?? null)
  const replaced = (by: unknown) =>
    hoist({ fractional: args.map((arg) => replaceIn(arg, found.node, by)) }, pulled + 1)
  return { if: [condition, replaced(then ?? null), replaced(otherwise)] }
}
/** The conditions that are pulled out of one share. */
const PULLED_MAX = 6

/** `[c1, then1, c2, then2, else]` */
const isBranch = (index: number, count: number) => index % 2 === 1 || index === count - 1

function findIf(entries: readonly unknown[]): { node: JsonObject; args: readonly unknown[] } | null {
  for (const entry of entries) {
    for (const part of Array.isArray(entry) ? entry : []) {
      if (!isObject(part)) continue
      const { args, name } = operationOf(part)
      if (name === 'if') return { node: part, args }
    }
  }
  return null
}

const replaceIn = (entry: unknown, node: JsonObject, by: unknown): unknown =>
  Array.isArray(entry) ? entry.map((part: unknown) => (part === node ? by : part)) : entry

function sharesOf(
  args: readonly unknown[],
  guard: Expression,
  context: OutcomeContext,
): readonly RuleDraft[] {
  const [first] = args
  const hasText = !Array.isArray(first)
  const { attribute, salt } = hasText ? bucketOf(first, context) : { attribute: null, salt: context.flagKey }
  const variants = (hasText ? args.slice(1) : args).map((entry): Weighted => entryOf(entry, context))
  const fallback = { kind: 'value', value: context.defaultValue } as const
  // flagd refuses a share with an empty entry: users get the default variant.
  if (args.some((entry) => Array.isArray(entry) && entry.length === 0)) {
    context.differ?.('A share has an empty entry, which engines read in different ways.')
    return [{ when: guard, serve: fallback }]
  }
  if (!isDivisible(variants)) {
    const isWhole = variants.every(({ weight }) => Number.isInteger(weight))
    context.differ?.(
      isWhole
        ? 'A share whose weights are 0 together, or too large, has no value in other engines.'
        : 'Only engines before core 0.15.0 divide by weights that are no whole numbers.',
    )
    return [{ when: guard, serve: fallback }]
  }
  noteShares(variants, context)
  const byKey = (salt: string): Outcome => ({
    kind: 'split',
    variants,
    division: { salt },
    fallback: context.defaultValue,
  })
  if (attribute === null) return [{ when: guard, serve: byKey(salt) }]
  const absent = all([guard, not(isSet(attribute))])
  const rule: RuleDraft = {
    when: guard,
    serve: { kind: 'split', variants, division: { salt, bucketBy: attribute } },
  }
  // A text that is joined from parts is never missing, and the same for everyone without the attribute.
  if (isJoined(first)) {
    context.differ?.(
      `For a user without ${attribute}, the JavaScript engine joins the text null, or nothing.`,
    )
    return [{ when: absent, serve: { kind: 'value', value: chosenFor(variants, salt.trim()) } }, rule]
  }
  context.remark(
    'bucketing_type',
    `Send ${attribute} as a text. Users with a number get the default variant of flagd, and a share in Burgee.`,
  )
  context.differ?.(`A user without ${attribute} gets the default variant in the JavaScript engine.`)
  return [{ when: absent, serve: byKey(context.flagKey) }, rule]
}

/** flagd refuses a share whose weights are no whole numbers, or too large: users get the default variant. */
function isDivisible(variants: readonly Weighted[]): boolean {
  const sum = variants.reduce((total, { weight }) => total + weight, 0)
  return variants.every(({ weight }) => Number.isInteger(weight)) && sum > 0 && sum <= WEIGHTS_MAX
}
const WEIGHTS_MAX = 2 ** 31 - 1

function noteShares(variants: readonly Weighted[], context: OutcomeContext): void {
  context.remark('flagd_version', SHARES_SINCE)
  if (variants.length === 1)
    context.differ?.('A share with one entry gives the default variant before core 0.15.3.')
}
const SHARES_SINCE =
  'The users of each share are those of flagd since core 0.15.0 (April 2026). Older servers, and providers without its new bucketing, have other users in them.'

/** Returns a constant as `cat` joins it; null where flagd cannot. */
function joinedText(constant: unknown): string | null {
  if (constant === null) return ''
  return typeof constant === 'string' || typeof constant === 'number' ? String(constant) : null
}

const isJoined = (node: unknown) => isObject(node) && 'cat' in node

/** Constant texts before the attribute are the salt. */
function bucketOf(node: unknown, context: LogicContext): { attribute: string | null; salt: string } {
  if (isObject(node) && 'cat' in node && !Array.isArray(node.cat))
    throw new Gap('logic', '"cat" has no list.')
  const parts = isObject(node) && 'cat' in node ? operationOf(node).args : [node]
  const operands = parts.map((part) => operandOf(part, context))
  const last = operands.at(-1)
  const before = operands
    .slice(0, -1)
    .map((operand) => ('constant' in operand ? joinedText(operand.constant) : null))
  if (!last || !('attribute' in last) || before.includes(null))
    throw new Gap('bucket_text', 'The text that divides users does not end with its only attribute.')
  return {
    attribute: last.attribute === '$user_key' ? null : last.attribute,
    salt: isJoined(node) ? before.join('').trimStart() : '',
  }
}

function entryOf(entry: unknown, context: OutcomeContext): Weighted {
  if (!Array.isArray(entry)) throw new Gap('malformed', 'An entry of a share is not a list.')
  const [name, weight = 1]: readonly unknown[] = entry
  if (typeof name !== 'string')
    context.differ?.('A share with another variant than a text gives the default variant before core 0.15.0.')
  if (isObject(name) || isObject(weight))
    throw new Gap('computed_share', 'A share has a computed variant or weight.')
  // Null counts as no weight, and a weight of another type is refused.
  const parts = weight === null ? 1 : typeof weight === 'number' ? Math.max(0, weight) : Number.NaN
  return { value: variantValueOf(name, context), weight: parts }
}

/** Returns what a user gets for whom only the constant text is hashed. */
function chosenFor(variants: readonly Weighted[], text: string): JsonValue {
  // The hash of the empty text is 0.
  if (text === '') return variants.find(({ weight }) => weight > 0)?.value ?? null
  const flag = {
    ...{ key: 'share', is_enabled: true, rollout_percentage: null, rules: [], prerequisites: [] },
    ...{ flag_type: 'json' as const, default_value: null, disabled_value: null },
    ...{ variants: [...variants], variant_salt: '' },
  }
  return createFlagSet([flag]).evaluate('share', { userKey: text }).value
}
