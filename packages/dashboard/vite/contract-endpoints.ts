import { type Access, type Endpoint, endpoints, type Method } from '@burgee/contract'
import type { Plugin } from 'vite'

/** The parts of an endpoint that a caller needs at run time. Its schemas stay types. */
export interface EndpointRoute {
  readonly method: Method
  readonly path: string
  readonly access: Access
}

const MODULE = 'virtual:contract-endpoints'
const RESOLVED = `\0${MODULE}`

/** Gives the page the methods, paths and accesses of the contract, without schemas and descriptions. */
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
