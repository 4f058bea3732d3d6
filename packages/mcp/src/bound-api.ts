import { type ToolApi, ToolError } from './tool.ts'

/** The fields of a path, a query or a body that name an environment. */
const ENVIRONMENT_FIELDS = ['env_id', 'environment_id', 'target_env_id', 'source', 'target']

type Input = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>

/**
 * Returns the API of one project, named by slug or id. Others are not listed, and a call that names another
 * project or an environment of one is refused. So is one that names neither: it could reach every project.
 */
export function boundApi(api: ToolApi, wanted: string): ToolApi {
  const find = async () => {
    const projects = await api.call('listProjects', {})
    const found = projects.find(({ slug, id }) => slug === wanted || id === wanted)
    if (!found)
      throw new ToolError(`These tools are for the project ${wanted}, which the token does not see.`)
    return found
  }
  const isInside = async ({ body, params, query }: Input): Promise<boolean> => {
    const named = { ...query, ...body, ...params }
    const { id: project_id } = await find()
    if ('project_id' in named && named.project_id !== project_id) return false
    const environments = ENVIRONMENT_FIELDS.flatMap((field) => named[field] ?? [])
    if (environments.length === 0) return 'project_id' in named
    const own = await api.call('listEnvironments', { params: { project_id } })
    return environments.every((environment) => own.some(({ id }) => id === environment))
  }
  const send: ToolApi['send'] = async (name, input, options) => {
    const isList = name === 'listProjects'
    if (!(isList || (await isInside(input as Input))))
      throw new ToolError(`These tools are for the project ${wanted} alone.`)
    const reply = await api.send(name, input, options)
    // The compiler does not narrow the type of the body by the name.
    return isList ? { ...reply, body: [await find()] as typeof reply.body } : reply
  }
  return { send, call: async (name, input, options) => (await send(name, input, options)).body }
}
