import { elideUrl } from '../../kernel/elide-url.ts'
import { invalid } from '../../kernel/refusal.ts'
import { findTargetProblem } from '../../platform/outbound/find-target-problem.ts'

interface AddressDeps {
  readonly block_private_targets: boolean
  readonly data_key: { readonly seal: (text: string) => string }
}

/** What is stored of a chat's address. Refuses with `invalid` one that nothing may be posted to; the message does not repeat it. */
export function toChatAddress(
  { block_private_targets, data_key }: AddressDeps,
  url: string,
): { readonly webhook_url_sealed: string; readonly webhook_url_preview: string } {
  const message = findTargetProblem(url, { kind: 'chat', block_private_targets })
  if (message !== null) throw invalid([{ path: '/webhook_url', message }])
  return { webhook_url_sealed: data_key.seal(url), webhook_url_preview: elideUrl(url) }
}
