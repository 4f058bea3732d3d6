import {
  type ErrorReason,
  type Impact,
  PROBLEMS_MAX,
  type RevertConflict,
  type SecondFactor,
  type Violation,
} from '@burgee/contract'

/** The kinds of refusals. `http/error-reply` has the one table from kind to status. */
export type RefusalKind =
  | 'malformed'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'stale'
  | 'too_large'
  | 'unsupported_media_type'
  | 'invalid'
  | 'too_many'
  | 'unavailable'

export interface ProblemDetail {
  /** The JSON pointer to the invalid field; empty for the whole. */
  readonly path: string
  readonly message: string
}

interface RefusalExtras {
  readonly details?: readonly ProblemDetail[]
  readonly attempts_remaining?: number
  readonly retry_after_seconds?: number
  /** The cause, where a program can act on it. */
  readonly reason?: ErrorReason
  /** The second factors that the account can prove. */
  readonly factors?: readonly SecondFactor[]
  /** The fields that an undo cannot give back. */
  readonly conflicts?: readonly RevertConflict[]
  /** The invariants that a write would violate. */
  readonly violations?: readonly Violation[]
  /** The users whom a change affects, who are more than the caller allows. */
  readonly impact?: Impact
  /** The value of a Set-Cookie header. */
  readonly cookie?: string
  /** An environment of a project that the text names. */
  readonly mention?: EnvironmentMention
}

/** An environment of a project, and the text of the refusal with its name: `the environment Production`. */
export interface EnvironmentMention {
  readonly project_id: string
  readonly environment_id: string
  readonly describe: (environment: string) => string
}

/** A refusal whose message the caller receives. The message states what is wrong and what to do. */
export class Refusal extends Error {
  readonly kind: RefusalKind
  readonly extras: RefusalExtras

  constructor(kind: RefusalKind, message: string, extras: RefusalExtras = {}) {
    super(message)
    this.name = 'Refusal'
    this.kind = kind
    this.extras = extras
  }
}

/** Refuses a request that cannot be read as what it should be. */
export const malformed = (message: string) => new Refusal('malformed', message)

/** Refuses because the named thing does not exist, or is not visible to the caller: `notFound('flag')`. */
export const notFound = (what: string) => new Refusal('not_found', `No such ${what}.`)

export const unauthenticated = (message: string, extras?: RefusalExtras) =>
  new Refusal('unauthenticated', message, extras)

export const forbidden = (message: string, extras?: RefusalExtras) =>
  new Refusal('forbidden', message, extras)

/** Refuses with a text that names an environment. Its name is looked up for the response. */
export const forbiddenIn = (mention: EnvironmentMention) =>
  forbidden(mention.describe('that environment'), { mention })

export const conflict = (message: string) => new Refusal('conflict', message)

/**
 * Refuses invalid input with all problems, each with the path of its field. Of a great many problems it lists
 * the first.
 */
export function invalid(problems: readonly ProblemDetail[]): Refusal {
  const details = problems.slice(0, PROBLEMS_MAX)
  const message = details.map(({ path, message }) => (path ? `${path} ${message}` : message)).join('; ')
  return new Refusal('invalid', asSentence(message || 'The input is not valid'), { details })
}

/** Refuses invalid input with more than its problems. */
export function invalidWith(problems: readonly ProblemDetail[], extras: RefusalExtras): Refusal {
  const refusal = invalid(problems)
  return new Refusal('invalid', refusal.message, { ...refusal.extras, ...extras })
}

/**
 * Runs `work`, whose input is the part of the body at `path`: the problems that it refuses with are those of
 * fields of the body. A problem with the whole is about the result, and keeps no path.
 */
export async function inPart<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'invalid' || !error.extras.details) throw error
    throw invalid(
      error.extras.details.map((detail) => (detail.path ? { ...detail, path: path + detail.path } : detail)),
    )
  }
}

const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

export const preconditionFailed = (message: string) => new Refusal('stale', message)

/** Refuses because If-Match has an outdated revision. */
export const stale = (noun: string, current: number) =>
  preconditionFailed(
    `The ${noun} was changed since you read it; its revision is now ${current}. Read it again.`,
  )

export const tooMany = (message: string, retry_after_seconds: number) =>
  new Refusal('too_many', message, { retry_after_seconds })

export const unavailable = (message: string, retry_after_seconds = 1) =>
  new Refusal('unavailable', message, { retry_after_seconds })
