import { ACCESS, type Endpoint } from '@burgee/contract'

/**
 * Throws for an endpoint without an access of the contract, which must not be mounted. The compiler checks
 * the endpoints that it sees; this checks the others.
 */
export function requireDeclaredAccess({ access, method, path }: Endpoint): void {
  if (Object.hasOwn(ACCESS, access)) return
  throw new Error(`${method} ${path} cannot be mounted: its access is ${access}, which has no rule`)
}
