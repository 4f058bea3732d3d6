/** Query parameters that carry a credential, or may be taken for one, and those that name a person; lower case. */
const SECRET_PARAMETERS = [
  'access_token',
  'api_key',
  'apikey',
  'authorization',
  'cookie',
  'current_password',
  'key',
  'lg_session',
  'new_password',
  'password',
  'sdk_key',
  'secret',
  'token',
  'user_id',
  'x-api-key',
]
/** Such a parameter inside another's value, as in `next=/stream?sdk_key=...`. */
const INNER_PARAMETER = new RegExp(`(?:^|[^a-z0-9_])(?:${SECRET_PARAMETERS.join('|')})(?:\\[\\])?=`, 'i')

const MASK = '[redacted]'

/**
 * Keys and tokens by their prefix; inside a word only where it is long enough to be one. And sealed session cookies: their first part,
 * a header, is some 40 characters long, and without a bound each `eyJ` of a text would be followed to the text's end.
 */
const BARE_SECRET =
  /\b(sk_live_|pat_)[\w-]+|(sk_live_|pat_|whsec_)[\w+/=-]{16,}|\beyJ[\w-]{1,200}(?:\.[\w-]*){2,4}/g

/** Decoding is repeated while there is something to decode, so that hiding a secret twice does not help. */
const DECODINGS_MAX = 5

/** What is longer is cut before it is looked at: nobody reads it, and a line of the log has an end. */
const URL_MAX_LENGTH = 2_000
const CUT = '…'

/** `url` (whole or path and query) with the credentials in its query, and any bare key or token in it, masked. */
export const redactUrl = (url: string): string =>
  url.length > URL_MAX_LENGTH ? `${redact(url.slice(0, URL_MAX_LENGTH))}${CUT}` : redact(url)

function redact(url: string): string {
  // The router takes `#` for the beginning of the query as well.
  const endOfPath = url.search(/[?#]/)
  if (endOfPath === -1) return maskPath(url)
  const path = maskPath(url.slice(0, endOfPath))
  const query = url.slice(endOfPath + 1).split('&')
  return `${path}${url[endOfPath]}${query.map(maskParameter).join('&')}`
}

/** `text` with the keys, tokens and sealed sessions in it masked. */
export const maskBareSecrets = (text: string): string =>
  text.replace(BARE_SECRET, (_secret, prefix = '', inner = '') => `${prefix || inner}${MASK}`)

const maskPath = (path: string): string =>
  path.includes('%') ? path.split('/').map(maskPiece).join('/') : maskBareSecrets(path)

/** Names are compared decoded: `sdk%5Fkey=` reaches the server as `sdk_key` too. */
function maskParameter(parameter: string): string {
  const equals = parameter.indexOf('=')
  if (equals === -1) return maskPiece(parameter)
  const name = parameter.slice(0, equals)
  const [plainName = ''] = decoded(name).split('[', 1)
  if (SECRET_PARAMETERS.includes(plainName.trim().toLowerCase())) return `${maskPiece(name)}=${MASK}`
  const value = parameter.slice(equals + 1)
  return `${maskPiece(name)}=${INNER_PARAMETER.test(decoded(value)) ? MASK : maskPiece(value)}`
}

/** A piece that hides a secret behind its encoding is masked as a whole. */
function maskPiece(piece: string): string {
  const plain = decoded(piece)
  const hides = plain !== piece && maskBareSecrets(plain) !== plain
  return hides ? MASK : maskBareSecrets(piece)
}

/** Never throws: what is no encoding stays as it is. Byte by byte, for every secret is ASCII. */
function decoded(text: string): string {
  let plain = text
  for (let left = DECODINGS_MAX; left > 0 && /[%+]/.test(plain); left -= 1) {
    plain = plain
      .replaceAll('+', ' ')
      .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  }
  return plain
}
