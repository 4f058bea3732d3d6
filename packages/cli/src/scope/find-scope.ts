import type { Environment, Project } from '@burgee/contract'
import type { Api } from '../api/create-api.ts'
import { CommandError, usageError } from '../command-error.ts'

/** Returns the project with a slug, or the only one where none is named. */
export async function findProject(api: Api, wanted: string | undefined): Promise<Project> {
  const projects = await api.call('listProjects', {})
  const slugs = projects.map(({ slug }) => slug).join(', ')
  if (wanted === undefined) {
    const [only, ...others] = projects
    if (only === undefined) throw new CommandError('This login sees no project.')
    if (others.length > 0) throw usageError(`Name a project with --project: ${slugs}.`)
    return only
  }
  const found = projects.find(({ slug, id }) => slug === wanted || id === wanted)
  if (found === undefined)
    throw new CommandError(`There is no project ${wanted}. This login sees: ${slugs || 'none'}.`)
  return found
}

/** Returns the environment of a project with a slug. `place` is that of the document which names none. */
export async function findEnvironment(
  api: Api,
  project: Project,
  wanted: string | undefined,
  place?: string,
): Promise<Environment> {
  const environments = await api.call('listEnvironments', { params: { project_id: project.id } })
  const slugs = environments.map(({ slug }) => slug).join(', ')
  if (wanted === undefined)
    throw usageError(
      place === undefined
        ? `Name an environment with --env: ${slugs}.`
        : `${place}: name the environment, here or with --env: ${slugs}.`,
    )
  const found = environments.find(({ slug, id }) => slug === wanted || id === wanted)
  if (found === undefined)
    throw new CommandError(`The project ${project.slug} has no environment ${wanted}. It has: ${slugs}.`)
  return found
}

/** Returns the id of a server key's own environment, undefined for the tokens of people and accounts. */
export async function keyEnvironment(api: Api, token: string | null): Promise<string | undefined> {
  return token === null || token.startsWith(PERSONAL) ? undefined : environmentOfKey(api)
}

/** Returns the id of the environment of the SDK key with which the requests are sent. */
export async function environmentOfKey(api: Api): Promise<string | undefined> {
  const { headers } = await api.send('getSnapshot', {})
  return headers.get('x-environment-id') ?? undefined
}

const PERSONAL = 'pat_'
