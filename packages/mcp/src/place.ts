import { KEY_MAX_LENGTH, KEY_PATTERN } from '@burgee/contract'
import { Type } from 'typebox'
import { type ToolApi, type ToolContext, ToolError } from './tool.ts'

const SLUG_MAX = 100

/** The arguments of every tool that looks at an environment. */
export const placeInput = {
  project: Type.Optional(
    Type.String({ maxLength: SLUG_MAX, description: 'Slug of the project; not needed where there is one' }),
  ),
  environment: Type.String({
    maxLength: SLUG_MAX,
    description: 'Slug of the environment, such as production',
  }),
}
export const flagKeyInput = Type.String({
  maxLength: KEY_MAX_LENGTH,
  pattern: KEY_PATTERN,
  description: 'Key of the flag',
})

export interface Place {
  readonly project_id: string
  readonly env_id: string
  /** `project/environment`, by slug. */
  readonly name: string
}

/** Finds a project by its slug, or the only one. */
export async function findProject(api: ToolApi, wanted: string | undefined) {
  const projects = await api.call('listProjects', {})
  const slugs = projects.map(({ slug }) => slug).join(', ') || 'none'
  const [first] = projects
  if (wanted === undefined && projects.length === 1 && first) return first
  if (wanted === undefined) throw new ToolError(`Name a project. These tools see: ${slugs}.`)
  const found = projects.find(({ slug }) => slug === wanted)
  if (!found) throw new ToolError(`There is no such project. These tools see: ${slugs}.`)
  return found
}

/** Finds an environment by the slugs of it and its project. */
export async function findPlace(
  api: ToolApi,
  { environment, project }: { readonly environment: string; readonly project?: string | undefined },
): Promise<Place> {
  const { id, slug } = await findProject(api, project)
  const environments = await api.call('listEnvironments', { params: { project_id: id } })
  const found = environments.find((each) => each.slug === environment)
  if (!found) {
    const slugs = environments.map((each) => each.slug).join(', ') || 'none'
    throw new ToolError(`The project ${slug} has no such environment. It has: ${slugs}.`)
  }
  return { project_id: id, env_id: found.id, name: `${slug}/${found.slug}` }
}

/** Finds an environment in which writes are possible. */
export async function findWritablePlace(
  { api, writable }: ToolContext,
  wanted: Parameters<typeof findPlace>[1],
): Promise<Place> {
  const place = await findPlace(api, wanted)
  const [, environment = ''] = place.name.split('/')
  if (writable.includes(place.name) || writable.includes(environment)) return place
  throw new ToolError(
    `This server of tools may not write to ${place.name}. It may write to: ${writable.join(', ') || 'no environment'}. Its operator names environments when it is started.`,
  )
}
