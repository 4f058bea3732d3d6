/** A request to a receiver. */
export interface OutboundRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** The characters of the response that are kept; 500 by default. */
  readonly responseMaxCharacters?: number
  /**
   * The timeout of the whole attempt, from resolving the name to the last byte that is kept of the response.
   */
  readonly timeoutMs: number
  /** Ends the attempt early, with an error for it. */
  readonly signal: AbortSignal
}

/**
 * The outcome of an attempt. A status together with an error means that the receiver responded and the rest
 * of its response was lost: it received the request, so a 2xx is still a success.
 */
export interface OutboundResult {
  /** The status, redirects included; null without a response. */
  readonly status_code: number | null
  /**
   * The start of the response, of 500 or the requested number of characters. Null without a response, and for
   * private addresses, so that the log of a webhook cannot be used to read an internal service.
   */
  readonly response_body: string | null
  /** One line for the delivery log, which never contains the address; null when the request completed. */
  readonly error: string | null
}

/** Posts to addresses that users have entered. */
export interface Outbound {
  /** Posts. Never throws. */
  post(url: string, request: OutboundRequest): Promise<OutboundResult>
  /** Aborts running posts, which return an error. Later posts are refused. */
  close(): Promise<void>
}
