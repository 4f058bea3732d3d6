import {
  type EvaluatedFlag,
  listRequirements,
  measurePattern,
  type TargetingRule,
} from '../../../src/index.ts'

/** The bound of docs/reference/operators.md#cost. */
export const REFERENCE_MAX_STEPS = 20_000_000

/** The steps of one flag for a user, its prerequisites aside (docs/reference/operators.md#cost). */
export function referenceSteps(
  flag: EvaluatedFlag,
  userKey: string | null,
  seen: Record<string, unknown>,
): number {
  const divided = [flag, ...flag.rules.filter((rule) => hasShare(rule) || (rule.variants ?? []).length > 0)]
  const isExtended = listRequirements(flag).length > 0
  const isPlain = flag.rules.length + flag.variants.length === 0
  if (!isExtended && isPlain && [0, 100].includes(flag.rollout_percentage ?? 100)) return 0
  const hashed = (isExtended ? divided : [flag]).map((one) => ({
    attribute: one.bucket_by ?? flag.bucket_by ?? null,
    weight: (one.hash ?? flag.hash ?? 'murmur3') === 'murmur3' ? 8 : 64,
  }))
  const ofKey = hashed.filter(({ attribute }) => attribute === null)
  const keyWeight = ofKey.reduce((sum, { weight }) => sum + weight, 0)
  const keySteps = userKey !== null && userKey.length > 64 ? userKey.length * keyWeight : 0
  const tests = flag.rules.flatMap((rule) => [rule, ...(rule.conditions ?? [])])
  const names = new Set([
    ...tests.map(({ attribute }) => attribute),
    ...hashed.map(({ attribute }) => attribute),
  ])
  let steps = keySteps
  for (const name of names) {
    if (name === null || !Object.hasOwn(seen, name)) continue
    const value = seen[name]
    if (!Array.isArray(value) && !(typeof value === 'string' && value.length > 64)) continue
    const own = tests.filter(({ attribute }) => attribute === name)
    const divisions = hashed.filter(({ attribute }) => attribute === name)
    steps += stepsOf(
      own,
      divisions.map(({ weight }) => weight),
      textsOf(value),
    )
  }
  return steps
}

type Test = Pick<TargetingRule, 'operator' | 'values'>

function stepsOf(tests: readonly Test[], hashes: readonly number[], texts: readonly string[]): number {
  const elements = texts.length
  const characters = texts.reduce((sum, { length }) => sum + length + 1, 0)
  const kinds = new Set(tests.map(({ operator }) => kindOf(operator)))
  if (hashes.length === 0 && !['part', 'pattern', 'version', 'time'].some((kind) => kinds.has(kind))) return 0
  let steps = 128 * elements
  if (kinds.has('version')) steps += 512 * elements + 64 * characters
  if (kinds.has('time')) steps += 1024 * elements
  for (const weight of hashes) steps += weight * characters
  const searched = [...new Set(texts)].slice(0, 100).map(({ length }) => (length > 1024 ? 1 : length + 1))
  for (const { operator, values } of tests) {
    const each = [...new Set(values)]
    const lookup = [...new Set(each.map(({ length }) => length))].reduce(
      (sum, length) => sum + 64 + length,
      0,
    )
    if (/contains$/.test(operator)) {
      const search = each.reduce((sum, { length }) => sum + searchWeight(length), 0)
      steps += characters * (search > 6 * lookup ? lookup : search)
    } else if (/(starts|ends)_with$/.test(operator)) {
      const compared = each.reduce((sum, { length }) => sum + 16 + Math.floor(length / 4), 0)
      steps += elements * Math.min(compared, lookup)
    } else if (/matches$/.test(operator)) {
      for (const pattern of each)
        for (const length of searched)
          steps += length * (256 + 2 * Number(measurePattern(pattern)) + 32 * classesOf(pattern))
    }
  }
  return steps
}

const searchWeight = (length: number) => (length < 7 ? 6 : 2 + 64 * Math.floor(length / 256))

function kindOf(operator: string): string {
  if (/(contains|_with)$/.test(operator)) return 'part'
  if (/matches$/.test(operator)) return 'pattern'
  if (operator.includes('semver')) return 'version'
  return /(before|after)$/.test(operator) ? 'time' : 'other'
}

const hasShare = (rule: TargetingRule) =>
  (rule.rollout_percentage ?? rule.rollout_thousandths ?? null) !== null

/** Counts `.`, `[...]`, `\d` and its like; with `(?i)` the letters that have a case too. */
function classesOf(pattern: string): number {
  const isFolded = pattern.startsWith('(?i)')
  const text = pattern.replace(/^\(\?i\)/, '').replace(/\(\?(?:P?<\w+>|:)/g, '(')
  const atoms = text.match(/\[\^?\]?(?:\\.|[^\]\\])*\]|\\x[\da-fA-F]{2}|\\.|\{[\d,]+\}|./gsu) ?? []
  return atoms.filter((atom) => {
    if (/^\[|^\\[dDsSwW]$|^\.$/.test(atom)) return true
    if (/^\\[AzbB]$/.test(atom) || !isFolded) return false
    return /^(?:\p{L}|\\x(?:4[1-9a-fA-F]|5[\dA-Aa]|6[1-9a-fA-F]|7[\daA]))$/u.test(atom) && hasCase(atom)
  }).length
}

function hasCase(atom: string): boolean {
  const text = atom.startsWith('\\x') ? String.fromCharCode(Number.parseInt(atom.slice(2), 16)) : atom
  return text.toLowerCase() !== text.toUpperCase()
}

/** The texts of an attribute, those of inner arrays later. */
function textsOf(value: unknown): string[] {
  let level: unknown[] = [value].flat()
  const found: string[] = []
  while (level.length > 0) {
    for (const each of level)
      if (['string', 'boolean'].includes(typeof each) || Number.isFinite(each))
        found.push(typeof each === 'string' ? each : JSON.stringify(each))
    level = level.filter((each) => Array.isArray(each)).flat()
  }
  return found
}
