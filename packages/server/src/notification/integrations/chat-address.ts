import { elideUrl } from '../../kernel/elide-url.ts'
import { invalid } from '../../kernel/refusal.ts'
import { findTargetProblem } from '../../platform/outbound/find-target-problem.ts'
import type { PrivateTargets } from '../../platform/outbound/private-targets.ts'

interface AddressDeps {
  readonly privateTargets: PrivateTargets
  readonly data_key: { readonly seal: (text: string) => string }
}

/**
 * Returns the stored form of a chat's address. Refuses with `invalid` an address that must not be reached;
 * the message does not repeat it.
 */
export function toChatAddress(
  { data_key, privateTargets }: AddressDeps,
  url: string,
): { readonly webhook_url_sealed: string; readonly webhook_url_preview: string } {
  const message = findTargetProblem(url, { kind: 'chat', privateTargets })
  if (message !== null) throw invalid([{ path: '/webhook_url', message }])
  return { webhook_url_sealed: data_key.seal(url), webhook_url_preview: elideUrl(url) }
}
