import type { ChangeRequest, CurrentUser, EndpointReply, Flag, ListedFlag, Warning } from '@burgee/contract'
import type { QueryClient } from '@tanstack/react-query'
import { endpointKey } from '../../shared/api/queries.ts'

/** The outcome of a write to a flag: done, or waiting for approval (docs/reference/flags.md). */
export type FlagOutcome =
  | { readonly kind: 'done'; readonly flag: Flag; readonly warnings: readonly Warning[] }
  | { readonly kind: 'asked'; readonly request: ChangeRequest; readonly warnings: readonly Warning[] }

type FlagReply = EndpointReply<'patchFlag'>

/** Puts the flag of a write into the caches at once, so that it is not read again (`send`). */
export function settleFlagWrite(client: QueryClient, env_id: string, reply: FlagReply): FlagOutcome {
  const { warnings = [] } = reply.body
  if (reply.status === 202) return { kind: 'asked', request: reply.body, warnings }
  const { warnings: _, ...flag } = reply.body
  storeFlag(client, env_id, flag)
  return { kind: 'done', flag, warnings }
}

/** A flag with its last change, which the response to a write does not have. */
export type KnownFlag = Flag & Partial<Pick<ListedFlag, 'updated_at' | 'updated_by'>>

/** Puts a flag into every cached response of its environment, unless a newer revision of it is there. */
export function storeFlag(client: QueryClient, env_id: string, written: KnownFlag): void {
  const flag = written.updated_at === undefined ? { ...written, ...changedNow(client) } : written
  const isNewer = (known: Flag) => known.revision > flag.revision
  client.setQueryData<Flag>(endpointKey('getFlag', { params: { env_id, key: flag.key } }), (known) =>
    known && isNewer(known) ? known : flag,
  )
  client.setQueryData<Flag[]>(endpointKey('listFlags', { params: { env_id } }), (flags) => {
    if (!flags) return flags
    const at = flags.findIndex(({ key }) => key === flag.key)
    if (at < 0) return [...flags, flag].sort((a, b) => (a.key < b.key ? -1 : 1))
    const known = flags[at]
    return known && isNewer(known) ? flags : flags.with(at, flag)
  })
}

/** The last change of a flag that this page has just written. */
function changedNow(client: QueryClient): Required<Pick<KnownFlag, 'updated_at' | 'updated_by'>> {
  const me = client.getQueryData<CurrentUser>(endpointKey('getCurrentUser', {}))
  return { updated_at: new Date().toISOString(), updated_by: me?.email ?? null }
}

/** Takes a deleted flag out of the cached responses of its environment. */
export function forgetFlag(client: QueryClient, env_id: string, key: string): void {
  client.removeQueries({ queryKey: endpointKey('getFlag', { params: { env_id, key } }) })
  client.setQueryData<Flag[]>(endpointKey('listFlags', { params: { env_id } }), (flags) =>
    flags?.filter((flag) => flag.key !== key),
  )
}
