/** A failure between client and server. `status` is the HTTP status, if the server responded. */
export interface ClientError extends Error {
  readonly status?: number
}

/** Returns whether the server rejected the SDK key. */
export const isRefusal = ({ status }: ClientError): boolean => status === 401 || status === 403
