import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino'
import type { Config } from '../settings/config.ts'
import { describeError } from './describe-error.ts'
import { MASK, maskSecretFields, SECRET_FIELDS } from './mask-secret-fields.ts'
import { maskBareSecrets, redactUrl } from './redact-url.ts'

export { redactUrl } from './redact-url.ts'

export type Log = Logger

/**
 * Creates a log of JSON lines at `level` and above, with secrets masked. It writes to standard output unless
 * a destination is given.
 */
export function createLog(level: Config['logLevel'], destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    // Masks keys and tokens by their prefix in any text, also in errors.
    hooks: { streamWrite: maskBareSecrets },
    // pino's own redaction is not used: it handles only configured depths and takes 50 times as long.
    // Serializers also receive the bindings of child loggers, which the formatter below does not.
    serializers: { ...SECRET_SERIALIZERS, err: describeError },
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (fields: Record<string, unknown>) => maskSecretFields(withoutRequest(fields)),
    },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}

const SECRET_SERIALIZERS = Object.fromEntries([...SECRET_FIELDS].map((field) => [field, () => MASK]))

/** Keeps only harmless parts of a request: headers are never logged, and the URL loses its credentials. */
function withoutRequest(fields: Record<string, unknown>): Record<string, unknown> {
  const { req } = fields
  return typeof req === 'object' && req !== null ? { ...fields, req: describeRequest(req) } : fields
}

type LoggedRequest = { id?: unknown; method?: unknown; url?: unknown; ip?: unknown }

function describeRequest({ id, method, url, ip }: LoggedRequest) {
  return { id, method, url: typeof url === 'string' ? redactUrl(url) : undefined, remote_address: ip }
}
