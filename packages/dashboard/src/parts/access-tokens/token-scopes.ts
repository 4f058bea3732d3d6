import type { AccessToken } from '@burgee/contract'

export type TokenScope = AccessToken['scope']

export const TOKEN_SCOPES: Readonly<
  Record<TokenScope, { readonly title: string; readonly description: string }>
> = {
  read_only: { title: 'Read only', description: 'Reads what you may read, and changes nothing.' },
  read_write: { title: 'Read and write', description: 'May do everything that you may do.' },
}
