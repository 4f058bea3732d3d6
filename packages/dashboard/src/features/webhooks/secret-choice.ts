import type { WebhookInput } from '@burgee/contract'

/** The choice about a webhook's secret. `keep` leaves it as it is. A new webhook then has none. */
export type SecretChoice =
  | { readonly kind: 'keep' }
  | { readonly kind: 'remove' }
  | { readonly kind: 'set'; readonly text: string; readonly isGenerated: boolean }

export const KEPT_SECRET: SecretChoice = { kind: 'keep' }

/** The field of the write: absent to keep it, null to remove it. */
export function secretToSend(choice: SecretChoice): Pick<WebhookInput, 'secret'> {
  switch (choice.kind) {
    case 'keep':
      return {}
    case 'remove':
      return { secret: null }
    case 'set':
      return { secret: choice.text }
  }
}
