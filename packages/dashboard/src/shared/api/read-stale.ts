import type { Query, QueryClient } from '@tanstack/react-query'
import type { ReadingEndpoint } from './stale-lists.ts'

/** Keeps the cached responses of a page as fresh as its writes require. */
interface StaleResponses {
  mark(names: readonly ReadingEndpoint[], env_id: string | undefined): void
  read(): Promise<void>
}

let responses: StaleResponses | null = null

/** Has the responses in this cache read again after writes. Returns the function that stops it. */
export function readStaleInto(client: QueryClient): () => void {
  const own = createStaleResponses(client)
  responses = own
  return () => {
    if (responses === own) responses = null
  }
}

/** Marks the cached responses of these endpoints as stale: those of the given environment, and of none. */
export const markStale: StaleResponses['mark'] = (names, env_id) => responses?.mark(names, env_id)

/**
 * Reads the stale responses again that pages show, and resolves when they are there. The others are read once
 * a page shows them.
 */
export const readStale = (): Promise<void> => responses?.read() ?? Promise.resolve()

function createStaleResponses(client: QueryClient): StaleResponses {
  const marked = new Set<unknown>()
  let next: Promise<void> | null = null
  const readNext = async () => {
    // The caller of the write puts the response into the cache first: what is fresh then is not read. Writes
    // in a row share their reads.
    await new Promise<void>((resolve) => setTimeout(resolve, 0))
    next = null
    const names = new Set(marked)
    marked.clear()
    await client.refetchQueries({
      type: 'active',
      predicate: ({ queryKey, state }) => state.isInvalidated && names.has(queryKey[0]),
    })
  }
  return {
    mark: (names, env_id) => {
      for (const name of names) marked.add(name)
      const written = new Set<unknown>(names)
      void client.invalidateQueries({
        refetchType: 'none',
        predicate: (query) => written.has(query.queryKey[0]) && !isOfAnother(env_id, query),
      })
    },
    read: () => {
      next ??= readNext()
      return next
    },
  }
}

/** True for a response of another environment than the one that was written. */
function isOfAnother(env_id: string | undefined, { queryKey }: Query): boolean {
  if (env_id === undefined) return false
  const of = (queryKey[1] as { readonly env_id?: string } | undefined)?.env_id
  return of !== undefined && of !== env_id
}
