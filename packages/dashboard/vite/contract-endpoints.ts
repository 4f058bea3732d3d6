import { type Access, type Endpoint, endpoints, type Method } from '@burgee/contract'
import type { Plugin } from 'vite'
import { wireNames } from './wire-names.ts'

/** The parts of an endpoint that a caller needs at run time. Its schemas stay types. */
export interface EndpointRoute {
  readonly method: Method
  readonly path: string
  readonly access: Access
}

const MODULE = 'virtual:contract-endpoints'
const RESOLVED = `\0${MODULE}`

/**
 * Gives the page the methods, paths and accesses of the contract and the names of its fields, without schemas
 * and descriptions.
 */
export function contractEndpoints(): Plugin {
  return {
    name: 'contract-endpoints',
    resolveId: (id) => (id === MODULE ? RESOLVED : undefined),
    load: (id) => (id === RESOLVED ? moduleText() : undefined),
  }
}

/** The names are one text, which is shorter than a list. */
const moduleText = (): string =>
  `export const routes = ${JSON.stringify(routes())}
export const wireNames = ${JSON.stringify(wireNames().join(' '))}.split(' ')`

/**
 * Returns the parts of every endpoint that a page needs. Those that follow the protocols of others are for
 * programs.
 */
export function routes(): Record<string, EndpointRoute> {
  return Object.fromEntries(
    Object.entries<Endpoint>(endpoints)
      .filter(([, { protocol }]) => protocol === undefined)
      .map(([name, { access, method, path }]) => [name, { method, path, access }]),
  )
}
