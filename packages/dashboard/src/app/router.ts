import { createRouter } from '@tanstack/react-router'
import { BASE_PATH } from '../shared/api/base-path.ts'
import { PageFailure } from './page-failure.tsx'
import { PageSkeleton } from './page-skeleton.tsx'
import { routeTree } from './routes.tsx'

/** The query of an address is plain text fields: `?q=checkout&tab=history` can be written by hand. */
export const router = createRouter({
  routeTree: routeTree,
  basepath: BASE_PATH || '/',
  // Handed in by the provider; nothing reads it before.
  context: { client: undefined as never },
  defaultPreload: 'intent',
  defaultPendingComponent: PageSkeleton,
  defaultPendingMs: 150,
  defaultErrorComponent: PageFailure,
  scrollRestoration: true,
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const fields = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
    const text = new URLSearchParams(fields.map(([key, value]) => [key, String(value)])).toString()
    return text && `?${text}`
  },
})

// The code of the page that the address names loads while the session is checked. The route that needs it
// reports a failure.
const [addressed] = router.getMatchedRoutes(location.pathname.slice(BASE_PATH.length))
for (const route of addressed) {
  router.loadRouteChunk(route)?.catch(() => undefined)
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
