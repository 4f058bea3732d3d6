import { type Access, type Endpoint, endpoints, type Method } from '@burgee/contract'
import type { Plugin } from 'vite'

/** What a caller needs of an endpoint at run time; its schemas stay types. */
export interface EndpointRoute {
  readonly method: Method
  readonly path: string
  readonly access: Access
}

const MODULE = 'virtual:contract-endpoints'
const RESOLVED = `\0${MODULE}`

/** Gives the page the contract's methods, paths and accesses without its schemas, descriptions and examples. */
export function contractEndpoints(): Plugin {
  return {
    name: 'contract-endpoints',
    resolveId: (id) => (id === MODULE ? RESOLVED : undefined),
    load: (id) => (id === RESOLVED ? `export default ${JSON.stringify(routes())}` : undefined),
  }
}

function routes(): Record<string, EndpointRoute> {
  return Object.fromEntries(
    Object.entries<Endpoint>(endpoints).map(([name, { access, method, path }]) => [
      name,
      { method, path, access },
    ]),
  )
}
