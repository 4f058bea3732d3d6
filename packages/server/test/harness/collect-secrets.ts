import type { SecretWatch } from './secret-watch.ts'

/** Settings with secrets; SESSION_SECRET is a list. */
const SECRET_SETTINGS = [
  'SESSION_SECRET',
  'METRICS_TOKEN',
  'SETUP_TOKEN',
  'SETUP_ADMIN_PASSWORD',
  'SETUP_SDK_KEY',
  'SDK_KEY',
  'OIDC_CLIENT_SECRET',
]

/** Fields of a request that contain a secret once it was accepted. */
const PASSWORD_FIELDS = ['password', 'current_password', 'new_password']

const KEY_OR_TOKEN = /"(?:key|token)":"((?:sk_live_|pat_|scim_)[A-Za-z0-9_-]{20,})"/g
const SESSION_IN_COOKIE = /^lg_session=([^;]+)/
const TOKEN_IN_URL = /[?&]token=([^\s&]+)/

/** Watches the secrets among a server's settings. */
export function watchSettings(watch: SecretWatch, env: Readonly<Record<string, string>>): void {
  for (const name of SECRET_SETTINGS) {
    for (const secret of (env[name] ?? '').split(',').filter(isDistinctive)) watch.watch(secret, name)
  }
}

/** Watches the set-up token in what a server printed for its operator. */
export function watchPrinted(watch: SecretWatch, line: string): void {
  const token = TOKEN_IN_URL.exec(line)?.[1]
  if (token !== undefined) watch.watch(token, 'set-up token')
}

interface Exchange {
  /** The body before it became JSON. */
  readonly body: unknown
  readonly status: number
  readonly setCookie: string | null
  /** The response's body as received. */
  readonly text: string
}

/**
 * Watches the secrets of an accepted request: passwords that were sent, keys and tokens that were created,
 * and the session. Rejected values are not secrets, but inventions of a test.
 */
export function watchExchange(watch: SecretWatch, { body, setCookie, status, text }: Exchange): void {
  if (status >= 300) return
  for (const password of passwordsIn(body)) if (isDistinctive(password)) watch.watch(password, 'password')
  const sealed = SESSION_IN_COOKIE.exec(setCookie ?? '')?.[1]
  if (sealed !== undefined) watch.watch(sealed, 'session cookie')
  for (const [, secret = ''] of text.matchAll(KEY_OR_TOKEN)) watch.watch(secret, 'key or token')
}

/** Returns the passwords of a JSON body, one level of objects deep, as in a set-up. */
function passwordsIn(body: unknown): string[] {
  if (typeof body !== 'object' || body === null) return []
  return Object.entries(body).flatMap(([name, value]) => {
    if (typeof value === 'string') return PASSWORD_FIELDS.includes(name) ? [value] : []
    return name === 'admin' ? passwordsIn(value) : []
  })
}

const DISTINCTIVE_LENGTH = 10
const DISTINCTIVE_VARIETY = 6

/**
 * Returns whether a text is unlikely to occur by chance: `12345678` is in many ids, and `password` is a word.
 */
function isDistinctive(secret: string): boolean {
  return secret.length >= DISTINCTIVE_LENGTH && new Set(secret).size >= DISTINCTIVE_VARIETY
}
