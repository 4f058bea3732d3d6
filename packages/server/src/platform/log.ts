import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino'
import type { Config } from '../config.ts'
import { errorCode } from './error-code.ts'
import { redactUrl } from './redact-url.ts'

export { redactUrl } from './redact-url.ts'

export type Log = Logger

/** Fields that never reach a log line, whatever object carries them. */
const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'sdk_key',
  'password',
  'current_password',
  'new_password',
  'token',
  'key',
  'secret',
  'webhook_url',
]

/** How deep the fields are looked for: `{req: {headers: {cookie}}}` and one level more, the deepest that is logged. */
const REDACTION_DEPTH = 4

/** JSON lines at `level` and above, with secrets masked; they go to standard output unless a destination is given. */
export function createLog(level: Config['log_level'], destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError, req: describeRequest },
    redact: { paths: SECRET_FIELDS.flatMap(redactionPaths), censor: '[redacted]' },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}

function redactionPaths(field: string): string[] {
  return Array.from(
    { length: REDACTION_DEPTH },
    (_, depth) => `${'*'.repeat(depth).split('').join('.')}["${field}"]`,
  )
}

type LoggedRequest = { id?: unknown; method?: unknown; url?: unknown; ip?: unknown }

/** Headers stay out of the log altogether; the URL loses its credentials. */
function describeRequest(request: LoggedRequest) {
  const { id, method, url, ip } = request
  return { id, method, url: typeof url === 'string' ? redactUrl(url) : undefined, remote_address: ip }
}

/** Drivers hang their connection and the rows that a constraint refused on their errors; neither belongs in a log. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = errorCode(error)
  const cause = error.cause === undefined ? undefined : describeError(error.cause)
  return { type: error.name, message: error.message, code: code ?? undefined, stack: error.stack, cause }
}
