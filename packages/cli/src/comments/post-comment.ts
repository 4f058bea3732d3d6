import { isObject } from '@burgee/contract'
import { connectionProblem } from '../api/connection-problem.ts'
import { readBounded } from '../api/read-bounded.ts'
import { CommandError } from '../command-error.ts'
import type { CommentPlace } from './comment-place.ts'

const PAGE = 100
/** Later comments are not looked at, so a service cannot keep the command busy. */
const PAGES_MAX = 10
const RESPONSE_MAX_BYTES = 64 * 1024 * 1024
const TIMEOUT_MS = 30_000

/** Writes the comment of a marker: replaces the own one that begins with it, or adds one. */
export async function postComment(place: CommentPlace, marker: string, text: string): Promise<void> {
  const body = { body: `${marker}\n${text}` }
  const known = await findComment(place, marker)
  if (known === null) await expectSuccess(place, 'POST', place.listUrl, body)
  else await expectSuccess(place, place.updateMethod, place.commentUrl(known), body)
}

/** Only an own comment is replaced: its author could change what it states. */
async function findComment(place: CommentPlace, marker: string): Promise<number | null> {
  const { name, author } = place.fields
  let self: string | null = null
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const rows = await expectSuccess(place, 'GET', `${place.listUrl}?per_page=${PAGE}&page=${page}`)
    if (!Array.isArray(rows))
      throw new CommandError(`${place.service} did not respond with a list of comments.`)
    for (const row of rows) {
      if (!isObject(row) || typeof row.body !== 'string' || !row.body.startsWith(marker)) continue
      self ??= await findSelf(place)
      const by = row[author]
      if (self !== null && isObject(by) && by[name] === self && Number.isSafeInteger(row.id))
        return Number(row.id)
    }
    if (rows.length < PAGE) return null
  }
  return null
}

/** Returns the name of the token's user. Tokens of GitHub's own jobs may not ask. */
async function findSelf(place: CommentPlace): Promise<string | null> {
  const { status, body } = await request(place, 'GET', place.userUrl)
  const name = isObject(body) ? body[place.fields.name] : undefined
  return status === 200 && typeof name === 'string' ? name : place.authorOtherwise
}

async function expectSuccess(
  place: CommentPlace,
  method: string,
  url: string,
  body?: object,
): Promise<unknown> {
  const reply = await request(place, method, url, body)
  if (reply.status >= 200 && reply.status < 300) return reply.body
  const isRefused = [401, 403, 404].includes(reply.status)
  throw new CommandError(
    `The plan was not posted: ${place.service} responded with ${reply.status}.${isRefused ? ` ${place.advice}` : ''}`,
  )
}

async function request(
  place: CommentPlace,
  method: string,
  url: string,
  body?: object,
): Promise<{ readonly status: number; readonly body: unknown }> {
  try {
    const response = await fetch(url, {
      method,
      // The token is sent to the named service only.
      redirect: 'error',
      headers: {
        'user-agent': 'burgee',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...place.headers,
      },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await readBounded(response, RESPONSE_MAX_BYTES)
    if (text === null)
      throw new CommandError(
        `The plan was not posted: the response has more than ${RESPONSE_MAX_BYTES} bytes.`,
      )
    return { status: response.status, body: response.ok ? JSON.parse(text) : null }
  } catch (error) {
    if (error instanceof CommandError) throw error
    const reason = error instanceof SyntaxError ? 'the response is not JSON' : connectionProblem(error).reason
    throw new CommandError(`The plan was not posted: ${new URL(url).origin} cannot be used: ${reason}.`)
  }
}
