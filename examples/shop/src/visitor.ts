/** The person who looks at the page. A real shop reads this from a session. */
export interface Visitor {
  /** The stable user key that decides rollouts and variants. */
  readonly user: string
  /** The ISO 3166 code, or null when it is unknown. */
  readonly country: string | null
}

const ANYBODY = 'anna'

/** Reads the visitor from a query such as `?user=anna&country=NO`. */
export function readVisitor(query: URLSearchParams): Visitor {
  return { user: query.get('user')?.trim() || ANYBODY, country: query.get('country')?.trim() || null }
}

export function visitorQuery({ country, user }: Visitor): string {
  return new URLSearchParams({ user, ...(country !== null && { country }) }).toString()
}
