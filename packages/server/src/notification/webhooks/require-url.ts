import { invalid } from '../../kernel/refusal.ts'
import { findTargetProblem } from '../../platform/outbound/find-target-problem.ts'
import type { PrivateTargets } from '../../platform/outbound/private-targets.ts'

/** Refuses with `invalid` a URL that must not be reached. */
export function requireUrl(
  { privateTargets }: { readonly privateTargets: PrivateTargets },
  url: string,
): void {
  const message = findTargetProblem(url, { kind: 'webhook', privateTargets })
  if (message !== null) throw invalid([{ path: '/url', message }])
}
