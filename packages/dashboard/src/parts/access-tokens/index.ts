export { arrangeTokens } from './arrange-tokens.ts'
export { CreateTokenDialog } from './create-token-dialog.tsx'
export { TokenRow } from './token-row.tsx'
