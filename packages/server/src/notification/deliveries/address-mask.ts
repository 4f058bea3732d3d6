import { firstCharacters, RESPONSE_MAX_CHARACTERS } from '../../platform/outbound/to-stored-text.ts'
import { type PlainText, toPlainText } from './plain-text.ts'

interface LoggedResponse {
  readonly status_code: number | null
  readonly response_body: string | null
  readonly error: string | null
}

/** Removes a chat's address from what is logged of its responses. */
export interface AddressMask {
  /**
   * The characters of a response that are examined, so that an address that starts in the kept part is
   * recognized as a whole.
   */
  readonly responseMaxCharacters: number
  /** Returns the response without the address, cut to what is kept. */
  mask<A extends LoggedResponse>(response: A): A
}

const DOTS = '••••••'
/** The lengths from which a part of an address is masked. Shorter ones are ordinary words of responses. */
const TELLING = { path: 4, piece: 8 }

/**
 * Creates the mask. A chat's address is a credential, also in part, and error pages tend to repeat the
 * requested address in various encodings (docs/reference/events.md: no row ever contains it).
 */
export function createAddressMask(url: string): AddressMask {
  const secrets = secretsOf(new URL(url), url)
  const hide = (text: string | null): string | null => {
    if (text === null || secrets.length === 0) return text
    const plain = toPlainText(text)
    const found = findSpots(plain.text, secrets)
    const covered = found.at(-1)?.to ?? 0
    const brokenOff = findBrokenOff(plain, secrets)
    const spots = brokenOff !== null && brokenOff.from >= covered ? [...found, brokenOff] : found
    return firstCharacters(replaceSpots(text, plain, spots), RESPONSE_MAX_CHARACTERS)
  }
  return {
    responseMaxCharacters: RESPONSE_MAX_CHARACTERS + url.length,
    mask: (response) => ({
      ...response,
      response_body: hide(response.response_body),
      error: hide(response.error),
    }),
  }
}

/** Returns the secret parts as plain text, the longest first, so that the whole is found before its parts. */
function secretsOf({ href, pathname, search, searchParams }: URL, url: string): string[] {
  const paths = [url, href, pathname + search, pathname, search]
  // A key without a value may be the secret itself.
  const query = [...searchParams].map(([key, value]) => (value === '' ? key : value))
  const pieces = [...pathname.split('/'), ...query]
  const plain = (texts: readonly string[], min: number): string[] =>
    texts.map((text) => toPlainText(text).text).filter(({ length }) => length >= min)
  const secrets = new Set([...plain(paths, TELLING.path), ...plain(pieces, TELLING.piece)])
  return [...secrets].sort((left, right) => right.length - left.length)
}

interface Spot {
  readonly from: number
  to: number
}

/**
 * Returns the positions of the secrets, in order; overlapping ones are merged. It uses no regular expression:
 * one from a long address does not compile, and its error repeats the address.
 */
function findSpots(text: string, secrets: readonly string[]): Spot[] {
  const all = secrets.flatMap((secret) => occurrencesOf(text, secret))
  all.sort((left, right) => left.from - right.from)
  const spots: Spot[] = []
  for (const spot of all) {
    const last = spots.at(-1)
    if (last === undefined || spot.from >= last.to) spots.push({ ...spot })
    else last.to = Math.max(last.to, spot.to)
  }
  return spots
}

function occurrencesOf(text: string, secret: string): Spot[] {
  const spots: Spot[] = []
  for (let from = text.indexOf(secret); from !== -1; from = text.indexOf(secret, from + secret.length)) {
    spots.push({ from, to: from + secret.length })
  }
  return spots
}

/** An escape without its end. */
const HALF_ESCAPE = /(?:\\(?:u[\da-f]{0,3})?|&[#\w]{0,6}|%[\da-f]?)$/i

/** Returns the start of a secret at the end of the text, where the response was cut or broke off. */
function findBrokenOff({ text }: PlainText, secrets: readonly string[]): Spot | null {
  const ends = [text, text.replace(HALF_ESCAPE, '')]
  const lengths = ends.flatMap((end) =>
    secrets.map((secret) => text.length - end.length + commonEnd(end, secret)),
  )
  const longest = Math.max(0, ...lengths)
  return longest < TELLING.piece ? null : { from: text.length - longest, to: text.length }
}

/** Returns how many characters at the end of a text are the start of a secret; 0 when too few to be sure. */
function commonEnd(text: string, secret: string): number {
  for (let length = Math.min(text.length, secret.length); length >= TELLING.piece; length -= 1) {
    if (text.endsWith(secret.slice(0, length))) return length
  }
  return Number.NEGATIVE_INFINITY
}

function replaceSpots(text: string, { begins, ends }: PlainText, spots: readonly Spot[]): string {
  let hidden = ''
  let at = 0
  for (const { from, to } of spots) {
    hidden += text.slice(at, begins[from]) + DOTS
    at = Math.max(at, ends[to - 1] ?? at)
  }
  return hidden + text.slice(at)
}
