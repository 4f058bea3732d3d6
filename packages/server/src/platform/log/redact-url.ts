/** Query parameters with credentials or personal data; lower case. */
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
  'ticket',
  'token',
  'user_id',
  'x-api-key',
]
/** Such a parameter inside another's value, as in `next=/stream?sdk_key=...`. */
const INNER_PARAMETER = new RegExp(`(?:^|[^a-z0-9_])(?:${SECRET_PARAMETERS.join('|')})(?:\\[\\])?=`, 'i')

const MASK = '[redacted]'

/**
 * Keys and tokens by their prefix, inside a word only when it is long enough for one; and encrypted session
 * cookies. The first part of those, a header, has about 40 characters, and the bound prevents that each `eyJ`
 * is followed to the end of the text.
 */
const BARE_SECRET =
  /\b(sk_live_|pat_)[\w-]+|(sk_live_|pat_|scim_|whsec_)[\w+/=-]{16,}|\beyJ[\w-]{1,200}(?:\.[\w-]*){2,4}/g

/** The number of decodings. Decoding is repeated, so that encoding a secret twice does not hide it. */
const DECODINGS_MAX = 5

/** The length to which a URL is cut first, because a log line is bounded. */
const URL_MAX_LENGTH = 2_000
const CUT = '…'

/**
 * Masks the credentials in the query of `url` (whole, or path and query), and any bare key or token in it.
 */
export const redactUrl = (url: string): string =>
  url.length > URL_MAX_LENGTH ? `${redact(url.slice(0, URL_MAX_LENGTH))}${CUT}` : redact(url)

function redact(url: string): string {
  // The router takes `#` for the start of the query as well.
  const endOfPath = url.search(/[?#]/)
  if (endOfPath === -1) return maskPath(url)
  const path = maskPath(url.slice(0, endOfPath))
  const query = url.slice(endOfPath + 1).split('&')
  return `${path}${url[endOfPath]}${query.map(maskParameter).join('&')}`
}

/** Masks the keys, tokens and encrypted sessions in `text`. */
export const maskBareSecrets = (text: string): string =>
  text.replace(BARE_SECRET, (_secret, prefix = '', inner = '') => `${prefix || inner}${MASK}`)

const maskPath = (path: string): string =>
  path.includes('%') ? path.split('/').map(maskPiece).join('/') : maskBareSecrets(path)

/** Masks a parameter. Names are compared decoded: the server reads `sdk%5Fkey=` as `sdk_key` too. */
function maskParameter(parameter: string): string {
  const equals = parameter.indexOf('=')
  if (equals === -1) return maskPiece(parameter)
  const name = parameter.slice(0, equals)
  const [plainName = ''] = decoded(name).split('[', 1)
  if (SECRET_PARAMETERS.includes(plainName.trim().toLowerCase())) return `${maskPiece(name)}=${MASK}`
  const value = parameter.slice(equals + 1)
  return `${maskPiece(name)}=${INNER_PARAMETER.test(decoded(value)) ? MASK : maskPiece(value)}`
}

/** Masks a piece as a whole when it hides a secret behind its encoding. */
function maskPiece(piece: string): string {
  const plain = decoded(piece)
  const hides = plain !== piece && maskBareSecrets(plain) !== plain
  return hides ? MASK : maskBareSecrets(piece)
}

/**
 * Decodes and never throws: invalid encodings are unchanged. It works byte by byte, because every secret is
 * ASCII.
 */
function decoded(text: string): string {
  let plain = text
  for (let left = DECODINGS_MAX; left > 0 && /[%+]/.test(plain); left -= 1) {
    plain = plain
      .replaceAll('+', ' ')
      .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  }
  return plain
}
