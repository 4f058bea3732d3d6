import { ApiError } from '../api/api-error.ts'
import type { Api } from '../api/create-api.ts'
import { environmentOfKey } from './find-scope.ts'

/** The SDK key of the requests, as far as the server describes it. */
interface SdkKeyScope {
  readonly type: 'sdk_key'
  /** Null where the server does not name it: of the others it only states what they may not do. */
  readonly kind: 'server' | null
  readonly environment_id: string
  readonly project: string | null
  readonly environment: string | null
  readonly manages: boolean
  /** Sentences for people. */
  readonly text: string
}

/** Returns the scope of the SDK key with which the requests are sent; null for what is no valid one. */
export async function findSdkKey(api: Api): Promise<SdkKeyScope | null> {
  const environment_id = await environmentOfKey(api).catch(absentWhere(401))
  if (!environment_id) return null
  const of = { type: 'sdk_key', environment_id } as const
  try {
    const [project] = await api.call('listProjects', {})
    const params = { project_id: project?.id ?? '' }
    const environments = await api.call('listEnvironments', { params })
    const own = environments.find(({ id }) => id === environment_id)
    const manages = own?.keys_may_manage_effective ?? false
    const may = manages
      ? 'It may manage the environment.'
      : 'It only reads and reports, because keys may not manage the environment.'
    const [projectSlug, slug] = [project?.slug ?? null, own?.slug ?? null]
    const text = `A server key of ${projectSlug}/${slug}. ${may}`
    return { ...of, kind: 'server', project: projectSlug, environment: slug, manages, text }
  } catch (error) {
    // Keys of the other kinds may not list projects, and the refusal states the kind and the environment.
    if (!(error instanceof ApiError && error.status === 403)) throw error
    return { ...of, kind: null, project: null, environment: null, manages: false, text: error.message }
  }
}

const absentWhere = (status: number) => (error: unknown) => {
  if (error instanceof ApiError && error.status === status) return undefined
  throw error
}
