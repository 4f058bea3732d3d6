export { CreateTokenDialog } from './create-token-dialog.tsx'
export { TokenRow } from './token-row.tsx'
export { TOKEN_SCOPES, type TokenScope } from './token-scopes.ts'
