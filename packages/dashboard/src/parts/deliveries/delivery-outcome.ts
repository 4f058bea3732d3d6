/** The outcome of an attempt, of a webhook's or of a chat's. */
export interface Attempt {
  readonly status_code: number | null
  readonly error: string | null
}

export interface Outcome {
  readonly kind: 'delivered' | 'refused' | 'unreachable'
  /** The text of the badge: "200", "No response". */
  readonly label: string
  /** A sentence for those who ask what happened. */
  readonly words: string
}

/** Only a 2xx counts: a redirect is not followed (docs/reference/events.md). */
export function deliveryOutcome({ error, status_code }: Attempt): Outcome {
  if (status_code === null) {
    return { kind: 'unreachable', label: 'No response', words: error ?? 'The receiver did not respond.' }
  }
  if (status_code >= 200 && status_code < 300) {
    return {
      kind: 'delivered',
      label: String(status_code),
      words: `The receiver responded with ${status_code}.`,
    }
  }
  const about = status_code >= 300 && status_code < 400 ? ', a redirect, which is not followed' : ''
  return {
    kind: 'refused',
    label: String(status_code),
    words: `The receiver responded with ${status_code}${about}.`,
  }
}
