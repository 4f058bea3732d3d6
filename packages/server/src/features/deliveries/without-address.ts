interface Answer {
  readonly status_code: number | null
  readonly response_body: string | null
  readonly error: string | null
}

const DOTS = '••••••'
/** Shorter ones are words that answers hold for other reasons. */
const TELLING = { path: 4, piece: 12 }

/**
 * The answer without the address it came from, whole or in part: a chat's address is a credential, and a page that was not found
 * likes to repeat what was asked for (contract, section 9: no row ever holds it).
 */
export function withoutAddress<A extends Answer>(answer: A, url: string): A {
  const { pathname, search } = new URL(url)
  const pieces = pathname.split('/').filter((piece) => piece.length >= TELLING.piece)
  const secrets = [url, pathname + search, pathname, search, ...pieces, ...pieces.map(decoded)]
    .filter((secret) => secret.length >= TELLING.path)
    .sort((left, right) => right.length - left.length)
  const hide = (text: string | null) =>
    text === null ? null : secrets.reduce((hidden, secret) => hidden.replaceAll(secret, DOTS), text)
  return { ...answer, response_body: hide(answer.response_body), error: hide(answer.error) }
}

function decoded(piece: string): string {
  try {
    return decodeURIComponent(piece)
  } catch {
    return piece
  }
}
