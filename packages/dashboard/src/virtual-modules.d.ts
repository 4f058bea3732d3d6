declare module 'virtual:contract-endpoints' {
  import type { EndpointRoute } from '../vite/contract-endpoints.ts'

  type Endpoints = typeof import('@burgee/contract').endpoints
  export const routes: Readonly<Record<keyof Endpoints, EndpointRoute>>
  /** Fields and fixed values of the contract that have an underscore. */
  export const wireNames: readonly string[]
}
