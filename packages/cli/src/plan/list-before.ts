import type { AppliedChange, EndpointBody } from '@burgee/contract'
import type { Api } from '../api/create-api.ts'
import { listAll } from '../api/list-all.ts'
import type { Described } from './describe-plan.ts'

/** The flags and segments of an environment as they are before an apply. */
export interface Before {
  readonly flags: EndpointBody<'listFlags'>
  /** Returns what a change starts from; undefined when it is new, or someone else changed it since. */
  of(change: AppliedChange): Described | undefined
}

/** Stands for the flags and segments where only their text would need them. */
export const NOTHING_BEFORE: Before = { flags: [], of: () => undefined }

/** Reads the flags and segments of an environment, for the words about their changes. */
export async function listBefore(api: Api, env_id: string): Promise<Before> {
  const params = { env_id }
  const flags = await listAll(api, 'listFlags', { params })
  const segments = await listAll(api, 'listSegments', { params })
  const byKey = {
    flag: new Map(flags.map((flag) => [flag.key, flag])),
    segment: new Map(segments.map((segment) => [segment.key, segment])),
  }
  return {
    flags,
    of({ base_revision, key, resource }) {
      const found = byKey[resource].get(key)
      return found?.revision === base_revision ? found : undefined
    },
  }
}
