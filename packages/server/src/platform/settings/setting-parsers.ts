import { isIP } from 'node:net'
import { PASSWORD_MAX_BYTES, PASSWORD_MIN_LENGTH } from '@burgee/contract'
import { API_ROOTS } from '../../kernel/api-roots.ts'

/** Parses the trimmed, non-empty text of a setting; `undefined` means that the text is not allowed. */
export type SettingParser<T> = (text: string) => T | undefined

const TRUE_WORDS = ['true', '1', 'yes', 'on']
const FALSE_WORDS = ['false', '0', 'no', 'off']
const EMAIL_MAX_CHARS = 320
const SDK_KEY_MAX_CHARS = 512

export const parseText: SettingParser<string> = (text) => text

export const parseBoolean: SettingParser<boolean> = (text) => {
  const word = text.toLowerCase()
  if (TRUE_WORDS.includes(word)) return true
  return FALSE_WORDS.includes(word) ? false : undefined
}

/**
 * Parses whole decimal numbers only: `1e3`, `0x10` and `3.0` are refused, because they are usually mistakes.
 */
export function parseIntegerBetween(lowest: number, highest: number): SettingParser<number> {
  return (text) => {
    if (!/^\d{1,15}$/.test(text)) return undefined
    const number = Number(text)
    return number >= lowest && number <= highest ? number : undefined
  }
}

export function parseWord<Word extends string>(words: readonly Word[]): SettingParser<Word> {
  return (text) => words.find((word) => word === text.toLowerCase())
}

export const parseCommaList: SettingParser<string[]> = (text) => {
  const entries = text.split(',').map((entry) => entry.trim())
  const filled = entries.filter((entry) => entry !== '')
  return filled.length > 0 ? filled : undefined
}

const PASSWORD_WORDS_MAX = 100
const PASSWORD_WORD_LENGTHS = { min: 4, max: 50 }

/** Parses words that passwords should not be made of. */
export const parsePasswordWords: SettingParser<string[]> = (text) => {
  const words = parseCommaList(text)
  if (!words || words.length > PASSWORD_WORDS_MAX) return undefined
  const { max, min } = PASSWORD_WORD_LENGTHS
  return words.every(({ length }) => length >= min && length <= max) ? words : undefined
}

/** Parses an IP address or a host name (RFC 1123). */
export const parseHost: SettingParser<string> = (text) =>
  isIP(text) !== 0 || /^(?![\d.]+$)[A-Za-z\d](?:[A-Za-z\d.-]{0,251}[A-Za-z\d])?$/.test(text)
    ? text
    : undefined

/**
 * Parses a PostgreSQL URL. `postgres://user@/name?host=/folder` names a unix socket and has no host of its
 * own.
 */
export const parseDatabaseUrl: SettingParser<string> = (text) => {
  if (!/^postgres(ql)?:\/\//i.test(text)) return undefined
  return URL.canParse(text.replace('@/', '@localhost/')) ? text : undefined
}

export const parseSmtpUrl: SettingParser<string> = (text) => {
  if (!URL.canParse(text)) return undefined
  const { hostname, protocol } = new URL(text)
  return (protocol === 'smtp:' || protocol === 'smtps:') && hostname !== '' ? text : undefined
}

export const parseRedisUrl: SettingParser<string> = (text) => {
  if (!URL.canParse(text)) return undefined
  const { protocol, hostname } = new URL(text)
  return (protocol === 'redis:' || protocol === 'rediss:') && hostname !== '' ? text : undefined
}

/** Parses an http or https URL and removes the slash at its end, so that paths can be appended. */
const parseWebUrl: SettingParser<string> = (text) => {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return undefined
  return url.href.replace(/\/+$/, '')
}

/** The first segments of files and pages of the dashboard. */
const PAGE_ROOTS: readonly string[] = ['assets', 'projects', 'workspace', 'account', 'login', 'setup']

/**
 * Parses the public address. Its path must not be that of a route: where a proxy removes it, such an address
 * would have it once more.
 */
export const parsePublicUrl: SettingParser<string> = (text) => {
  const address = parseWebUrl(text)
  if (address === undefined) return undefined
  const root = new URL(address).pathname.split('/')[1] ?? ''
  return API_ROOTS.includes(root) || PAGE_ROOTS.includes(root) ? undefined : address
}

/** Parses the issuer of an identity provider: https, or http on this machine. It keeps a slash at its end. */
export const parseIssuer: SettingParser<string> = (text) => {
  if (parseWebUrl(text) === undefined) return undefined
  const { hostname, protocol } = new URL(text)
  return protocol === 'https:' || LOOPBACK_HOSTS.includes(hostname) ? text : undefined
}
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]']

/** Parses the scopes of OpenID Connect (RFC 6749, appendix A.4). They include `openid`. */
export const parseScopes: SettingParser<string> = (text) => {
  const scopes = text.split(/ +/)
  const areValid = scopes.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope))
  return areValid && scopes.includes('openid') ? scopes.join(' ') : undefined
}

/** Parses a text of at most this many characters for people. */
export const parseTextUpTo =
  (maxCharacters: number): SettingParser<string> =>
  (text) =>
    [...text].length <= maxCharacters ? text : undefined

/** Parses a token for an Authorization header or a URL: printable ASCII without spaces. */
export const parseToken: SettingParser<string> = (text) => (/^[\x21-\x7e]+$/.test(text) ? text : undefined)

export const parseSdkKey: SettingParser<string> = (text) =>
  text.length <= SDK_KEY_MAX_CHARS && /^sk_live_[A-Za-z0-9_-]+$/.test(text) ? text : undefined

export const parseEmail: SettingParser<string> = (text) =>
  text.length <= EMAIL_MAX_CHARS && /^[^\s@]+@[^\s@]+$/.test(text) ? text : undefined

export const parsePassword: SettingParser<string> = (text) =>
  [...text].length >= PASSWORD_MIN_LENGTH && Buffer.byteLength(text) <= PASSWORD_MAX_BYTES ? text : undefined

/**
 * Parses the proxies that are trusted to name the client: none, one, a number of hops, or those with listed
 * addresses. A bare number is a count of hops, so `1` is one proxy and not "trust everyone".
 */
export const parseTrustProxy: SettingParser<boolean | number | string[]> = (text) => {
  const word = text.toLowerCase()
  if (word === 'true') return true
  if (word === 'false' || word === '0') return false
  if (/^\d{1,2}$/.test(word)) return Number(word)
  const addresses = parseCommaList(text)
  // A range of every address would let each client name its own.
  const isPossible = (entry: string) => isAddressOrRange(entry) && !/\/0+$/.test(entry)
  return addresses?.every(isPossible) ? addresses : undefined
}

/** Parses host names, addresses and networks. Names become lower case. */
export const parseTargetList: SettingParser<string[]> = (text) => {
  const entries = parseCommaList(text.toLowerCase())
  return entries?.every((entry) => isAddressOrRange(entry) || isHostName(entry)) ? entries : undefined
}

/**
 * Returns whether the text is a host name. `10`, `10.0.0` and `10.0.0.*` are meant as networks, and are
 * neither.
 */
function isHostName(text: string): boolean {
  const labels = text.split('.')
  return labels.every((label) => /^[a-z0-9_-]{1,63}$/.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '')
}

function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}
