import { useLocation } from '@tanstack/react-router'
import { ENVIRONMENT_PAGES } from './pages.tsx'

type EnvironmentPage = (typeof ENVIRONMENT_PAGES)[number]['to']

/**
 * The page of the environment that is open, for switching to another environment. An open flag or segment
 * stays open, since it is mostly there as well; an experiment does not. The flags where no such page is
 * open.
 */
export function useEnvironmentPage() {
  const { pathname } = useLocation()
  const [, page, item] = /\/environments\/[^/]+\/([^/]+)(\/[^/]+)?/.exec(pathname) ?? []
  const known = ENVIRONMENT_PAGES.find(({ to }) => to === page)?.to ?? 'flags'
  const hasItem = item !== undefined && (known === 'flags' || known === 'segments')
  // The address of an item is given the type of its list's address, where only a typed route is needed.
  return (hasItem ? `${known}${decodeURI(item)}` : known) as EnvironmentPage
}
