/** What went wrong between client and server. `status` is the HTTP status, where there was an answer. */
export interface ClientError extends Error {
  readonly status?: number
}

/** The SDK key is not accepted. */
export const isRefusal = ({ status }: ClientError): boolean => status === 401 || status === 403
