/** Who looks at the page: a real shop would know this from a session. */
export interface Visitor {
  /** The stable identifier that rollouts and variants go by. */
  readonly user: string
  /** ISO 3166 code, or null where the visitor has not said. */
  readonly country: string | null
}

const ANYBODY = 'anna'

/** From `?user=anna&country=NO`. */
export function readVisitor(query: URLSearchParams): Visitor {
  return { user: query.get('user')?.trim() || ANYBODY, country: query.get('country')?.trim() || null }
}

export function visitorQuery({ country, user }: Visitor): string {
  return new URLSearchParams({ user, ...(country !== null && { country }) }).toString()
}
