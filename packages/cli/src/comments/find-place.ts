import { resolve } from 'node:path'
import { isObject } from '@burgee/contract'
import { usageError } from '../command-error.ts'
import { readText } from '../files/read-files.ts'
import type { Io } from '../output/output.ts'
import { checkToken } from '../settings/check-token.ts'
import type { CommentPlace } from './comment-place.ts'

/** The services whose requests can have a plan as a comment. */
export const SERVICES = ['github', 'gitlab'] as const
export type Service = (typeof SERVICES)[number]

/** GitHub limits its events to 25 MB. */
const EVENT_MAX_BYTES = 32 * 1024 * 1024

/** Returns the comments of the request that the running job is for, from the variables of its service. */
export const findPlace = (service: Service, io: Io): CommentPlace =>
  service === 'github' ? gitHubPlace(io) : gitLabPlace(io)

function gitHubPlace({ env, cwd }: Io): CommentPlace {
  const read = (name: string) => variable(env, name, 'GitHub Actions')
  const api = read('GITHUB_API_URL').replace(/\/+$/, '')
  const repository = read('GITHUB_REPOSITORY')
  if (!/^(?!\.+\/)[\w.-]+\/(?!\.+$)[\w.-]+$/.test(repository))
    throw usageError(`GITHUB_REPOSITORY is ${repository}, not an owner and a name.`)
  const number = numberOf(resolve(cwd, read('GITHUB_EVENT_PATH')))
  const repo = `${api}/repos/${repository}`
  return {
    service: 'GitHub',
    listUrl: `${repo}/issues/${number}/comments`,
    commentUrl: (id) => `${repo}/issues/comments/${id}`,
    updateMethod: 'PATCH',
    userUrl: `${api}/user`,
    fields: { name: 'login', author: 'user' },
    authorOtherwise: 'github-actions[bot]',
    headers: {
      authorization: `Bearer ${checkToken(read('GITHUB_TOKEN'), 'GITHUB_TOKEN')}`,
      accept: 'application/vnd.github+json',
    },
    advice: 'Give the job the permission pull-requests: write. Jobs of forks do not get it.',
  }
}

/** Returns the number of the pull request of an event. */
function numberOf(path: string): number {
  const text = readText(path, EVENT_MAX_BYTES)
  let event: unknown
  try {
    event = JSON.parse(text)
  } catch {
    throw usageError(`${path}, the event of GITHUB_EVENT_PATH, is not JSON.`)
  }
  const request = isObject(event) ? event.pull_request : undefined
  const number = isObject(request) ? request.number : undefined
  if (!Number.isSafeInteger(number))
    throw usageError('The event is not one of a pull request: run --post github on pull_request only.')
  return Number(number)
}

function gitLabPlace({ env }: Io): CommentPlace {
  const read = (name: string) => variable(env, name, 'merge request pipelines of GitLab')
  const api = read('CI_API_V4_URL').replace(/\/+$/, '')
  const ids = [read('CI_PROJECT_ID'), read('CI_MERGE_REQUEST_IID')]
  if (!ids.every((id) => /^\d{1,15}$/.test(id)))
    throw usageError(`CI_PROJECT_ID and CI_MERGE_REQUEST_IID are ${ids.join(' and ')}, not numbers.`)
  const listUrl = `${api}/projects/${ids[0]}/merge_requests/${ids[1]}/notes`
  return {
    service: 'GitLab',
    listUrl,
    commentUrl: (id) => `${listUrl}/${id}`,
    updateMethod: 'PUT',
    userUrl: `${api}/user`,
    fields: { name: 'username', author: 'author' },
    authorOtherwise: null,
    headers: { 'private-token': checkToken(read('GITLAB_TOKEN'), 'GITLAB_TOKEN') },
    advice: 'GITLAB_TOKEN must be a project access token with the scope api; CI_JOB_TOKEN cannot comment.',
  }
}

function variable(env: NodeJS.ProcessEnv, name: string, where: string): string {
  const value = env[name]
  if (!value) throw usageError(`${name} is not set. --post needs the variables of ${where}.`)
  return value
}
