import { invalid } from '../../kernel/refusal.ts'
import { findTargetProblem } from '../../platform/outbound/find-target-problem.ts'

/** Refuses with `invalid` an address that nothing may be posted to. */
export function requireUrl(
  { block_private_targets }: { readonly block_private_targets: boolean },
  url: string,
): void {
  const message = findTargetProblem(url, { kind: 'webhook', block_private_targets })
  if (message !== null) throw invalid([{ path: '/url', message }])
}
