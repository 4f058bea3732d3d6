declare module 'virtual:contract-endpoints' {
  import type { EndpointRoute } from '../vite/contract-endpoints.ts'

  type Endpoints = typeof import('@burgee/contract').endpoints
  const routes: Readonly<Record<keyof Endpoints, EndpointRoute>>
  export default routes
}
