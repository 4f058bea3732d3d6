import type { Flag } from '@burgee/contract'
import type { QueryClient } from '@tanstack/react-query'
import { forgetFlag, storeFlag } from '../../parts/flag-writes/flag-write.ts'
import { hasStatus } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/call.ts'
import { endpointKey, refresh } from '../../shared/api/queries.ts'
import { findStaleFlags, type KnownFlag } from './find-stale-flags.ts'
import { openStream, type StreamStatus } from './open-stream.ts'

/** Changes within this time are handled together. */
const GATHER_MS = 200
/** Above it the whole list is read at once rather than flag by flag. */
const SINGLE_READS_MAX = 20

/**
 * Keeps the cached flags of an environment as they are on the server until the returned function is called.
 * The stream holds flags with their segments expanded, so only its revisions are used: a flag whose revision
 * differs is read again.
 */
export function followEnvironment(
  client: QueryClient,
  env_id: string,
  onStatus: (status: StreamStatus) => void,
): () => void {
  const streamed = new Map<string, number>()
  const asked = new Set<string>()
  let isComplete = false
  let isSegmentChanged = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const check = () => {
    timer = undefined
    if (isSegmentChanged) void refresh(client, 'listSegments', 'getSegment')
    isSegmentChanged = false
    const { flags, isWhole } = knownFlags(client, env_id)
    const stale = findStaleFlags(streamed, flags, isWhole).filter(({ difference }) => !asked.has(difference))
    for (const { difference } of stale) asked.add(difference)
    void readAgain(
      client,
      env_id,
      stale.map(({ key }) => key),
    )
  }
  const checkSoon = () => {
    if (isComplete) timer ??= setTimeout(check, GATHER_MS)
  }

  const close = openStream(env_id, {
    onStatus,
    onBegin() {
      streamed.clear()
      asked.clear()
      isComplete = false
    },
    onUpdate({ key, revision }) {
      // A flag that comes again without a change of its own: one of its segments has changed.
      if (isComplete && streamed.get(key) === revision) isSegmentChanged = true
      if (revision === null) streamed.delete(key)
      else streamed.set(key, revision)
      checkSoon()
    },
    onReady() {
      isComplete = true
      checkSoon()
    },
  })
  // A response that was on its way while the stream reported something newer.
  const unsubscribe = client.getQueryCache().subscribe(({ query, type }) => {
    const [name] = query.queryKey
    if (type === 'updated' && (name === 'listFlags' || name === 'getFlag')) checkSoon()
  })
  return () => {
    clearTimeout(timer)
    unsubscribe()
    close()
  }
}

/** The flags that the page holds, each in the oldest state that it is shown in. */
function knownFlags(client: QueryClient, env_id: string) {
  const list = client.getQueryData<Flag[]>(endpointKey('listFlags', { params: { env_id } }))
  const single = client
    .getQueriesData<Flag>({ queryKey: endpointKey('getFlag') })
    .flatMap(([[, params], flag]) => (flag && isOf(env_id, params) ? [flag] : []))
  const flags = new Map<string, KnownFlag>()
  for (const flag of [...(list ?? []), ...single]) {
    const known = flags.get(flag.key)
    if (!known || known.revision > flag.revision) flags.set(flag.key, flag)
  }
  return { flags, isWhole: list !== undefined }
}

const isOf = (env_id: string, params: unknown): boolean =>
  (params as { readonly env_id?: string } | undefined)?.env_id === env_id

async function readAgain(client: QueryClient, env_id: string, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  if (keys.length > SINGLE_READS_MAX) await refresh(client, 'listFlags', 'getFlag')
  else await Promise.all(keys.map((key) => readFlag(client, env_id, key)))
  // Data that depends on a flag, where it is shown.
  await refresh(
    client,
    'getFlagHistory',
    'listEnvironmentAudit',
    'listChangeRequests',
    'listAllChangeRequests',
    'getChangeRequest',
    'listScheduledChanges',
    'listFlagScheduledChanges',
    'compareFlags',
  )
}

/** A flag that SDKs no longer see is archived and stays, or deleted and goes. */
async function readFlag(client: QueryClient, env_id: string, key: string): Promise<void> {
  try {
    storeFlag(client, env_id, await call('getFlag', { params: { env_id, key } }))
  } catch (error) {
    if (hasStatus(error, 404)) forgetFlag(client, env_id, key)
  }
}
