import { ACCESS, type Endpoint } from '@burgee/contract'

/**
 * Throws for an endpoint that does not say who may call it, in a word of the contract: it must not be mounted. The compiler
 * asks the same of what it sees; this asks it of what it did not see.
 */
export function requireDeclaredAccess({ access, method, path }: Endpoint): void {
  if (Object.hasOwn(ACCESS, access)) return
  throw new Error(`${method} ${path} cannot be mounted: its access is ${access}, which has no rule`)
}
