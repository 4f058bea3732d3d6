import type { TargetingRule, Warning } from '@burgee/contract'
import { foreseeSteps, MAX_STEPS } from '@burgee/evaluation'
import type { Segments } from './segment-members.ts'
import { createReach } from './segment-reach.ts'

/**
 * Warns of rules that take too many steps for a long list (docs/reference/operators.md#cost), and names
 * the one that takes the most. A segment counts for each rule that refers to it.
 */
export function findBoundWarnings(rules: readonly TargetingRule[], segments: Segments | null): Warning[] {
  const reach = segments && createReach(segments)
  const ofSegments = new Map<string, number>()
  let all = 0
  let most = 0
  let largest = -1
  for (const [index, own] of foreseeSteps(rules).entries()) {
    const rule = rules[index]
    let steps = own
    for (const key of (rule && reach?.ofRule(rule)) ?? []) {
      const known = ofSegments.get(key) ?? sum(foreseeSteps(segments?.get(key)?.rules ?? []))
      ofSegments.set(key, known)
      steps += known
    }
    all += steps
    if (steps > most) [most, largest] = [steps, index]
  }
  if (all <= MAX_STEPS) return []
  const bound = MAX_STEPS.toLocaleString('en')
  const message = `For a user whose attributes are long lists or texts, such as 1,000 texts of 64 characters, the rules take more than ${bound} steps: the evaluation is then an error, and the program's own default applies. This rule takes the most. Test fewer values or smaller patterns, or an attribute that is no list.`
  return [{ code: 'evaluation_bound', path: `/rules/${largest}`, message }]
}

const sum = (steps: readonly number[]): number => steps.reduce((total, each) => total + each, 0)
