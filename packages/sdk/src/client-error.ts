/** What went wrong between client and server. `status` is the HTTP status, where there was an answer. */
export interface ClientError extends Error {
  readonly status?: number
}

/** The server answered, and not as hoped. */
export function answerError(path: string, response: Response): ClientError {
  const { status } = response
  const why = isRefusal(status) ? ': the SDK key is not accepted' : ''
  return Object.assign(new Error(`${path} answered ${status}${why}`), { status })
}

export function isRefusal(status: number | undefined): boolean {
  return status === 401 || status === 403
}

/** Whatever was thrown, as an error. */
export function toError(thrown: unknown): ClientError {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}
