import type { Condition, JsonValue } from '@burgee/evaluation'
import { negate } from './complement.ts'
import type { Path } from './rule-origins.ts'

/** Conditions that hold together, one of several ways in which a rule can match. */
export interface Alternative {
  readonly conditions: readonly Condition[]
  /** The characters of their JSON. */
  readonly jsonLength: number
  /** The value of the segment's rule that it comes from. */
  readonly variant?: JsonValue | undefined
  /** The segments that it comes through; absent where that was not asked for. */
  readonly path?: Path | undefined
}

/** More alternatives are not compared with each other. */
const COMPARED_MAX = 100

/**
 * Leaves out what changes no result: repeated conditions, alternatives that contradict themselves, and those
 * that only match users whom an earlier one matches. Without it, references that are combined would soon
 * exceed the bounds of a flag.
 */
export function simplify(alternatives: readonly Alternative[]): readonly Alternative[] {
  const texts = rememberTexts()
  const kept: { readonly alternative: Alternative; readonly held: ReadonlySet<string> }[] = []
  const seen = new Set<string>()
  for (const { conditions, path, variant } of alternatives) {
    const distinct = new Map(conditions.map((condition) => [texts.of(condition), condition]))
    const held = new Set(distinct.keys())
    const identity = [...held].sort().join()
    if (seen.has(identity) || conditions.some((condition) => held.has(texts.ofNegation(condition)))) continue
    seen.add(identity)
    const isComparable = alternatives.length <= COMPARED_MAX
    if (isComparable && kept.some((earlier) => isSubset(earlier.held, held))) continue
    const jsonLength = [...held].reduce((sum, text) => sum + text.length, 0)
    kept.push({ alternative: { conditions: [...distinct.values()], jsonLength, variant, path }, held })
  }
  return kept.map(({ alternative }) => alternative)
}

const isSubset = (part: ReadonlySet<string>, whole: ReadonlySet<string>): boolean =>
  part.size <= whole.size && [...part].every((text) => whole.has(text))

/** Conditions are shared by many alternatives: each is formatted once. */
function rememberTexts() {
  const texts = new Map<Condition, string>()
  const negations = new Map<Condition, string>()
  return {
    of: (condition: Condition): string => remember(texts, condition, () => JSON.stringify(condition)),
    /** The text of the one condition that holds exactly when this one does not; "" where there is none. */
    ofNegation: (condition: Condition): string =>
      remember(negations, condition, () => {
        const [negation, ...more] = negate(condition)
        return negation && more.length === 0 ? JSON.stringify(negation) : ''
      }),
  }
}

function remember(known: Map<Condition, string>, condition: Condition, make: () => string): string {
  const text = known.get(condition) ?? make()
  known.set(condition, text)
  return text
}
