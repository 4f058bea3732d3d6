/** What is posted to a receiver. */
export interface OutboundRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** How much of the answer is kept, in characters; 500 unless it is given. */
  readonly responseMaxCharacters?: number
  /** For the whole attempt, from resolving the name to the last byte that is kept of the answer. */
  readonly timeoutMs: number
  /** Ends the attempt early, with an error that says so. */
  readonly signal: AbortSignal
}

/**
 * How an attempt ended. A status beside an error means that the receiver answered and the rest of its answer broke off: it has
 * heard us, so a 2xx is a success all the same.
 */
export interface OutboundResult {
  /** Redirects are answers like any other; null when no answer came. */
  readonly status_code: number | null
  /**
   * The beginning of the answer, of 500 characters or as many as were asked for; null when no answer came, and for private
   * addresses, so that nobody reads an internal service through the log of a webhook.
   */
  readonly response_body: string | null
  /** One line for the delivery log, which never holds the address; null when the request came to its end. */
  readonly error: string | null
}

/** Posts to addresses that people have typed in. */
export interface Outbound {
  /** Never throws. */
  post(url: string, request: OutboundRequest): Promise<OutboundResult>
  /** Ends what is under way and answers it with an error; later posts are refused. */
  close(): Promise<void>
}
