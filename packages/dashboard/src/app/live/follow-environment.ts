import type { QueryClient } from '@tanstack/react-query'

/** Listens to the environment's stream until the returned function is called. */
export function followEnvironment(_client: QueryClient, _env_id: string): () => void {
  return () => {}
}
