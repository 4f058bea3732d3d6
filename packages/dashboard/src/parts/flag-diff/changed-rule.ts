import type { Flag, TargetingRule } from '@burgee/contract'

/**
 * The rule that a phrase states was added or removed, so that it can be shown as a sentence. Undefined for
 * other phrases.
 */
export function changedRule(
  phrase: string,
  { before, after }: { readonly before: Flag | null; readonly after: Flag | null },
): { readonly title: string; readonly rule: TargetingRule } | undefined {
  const [, position, verb] = /^rule (\d+) (added|removed): /.exec(phrase) ?? []
  const flag = verb === 'added' ? after : before
  // People count from 1.
  const rule = flag?.rules[Number(position) - 1]
  return rule && { title: `rule ${position} ${verb}:`, rule }
}
