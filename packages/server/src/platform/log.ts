import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino'
import type { Config } from '../config.ts'
import { describeError } from './describe-error.ts'
import { MASK, maskSecretFields, SECRET_FIELDS } from './mask-secret-fields.ts'
import { maskBareSecrets, redactUrl } from './redact-url.ts'

export { redactUrl } from './redact-url.ts'

export type Log = Logger

/** JSON lines at `level` and above, with secrets masked; they go to standard output unless a destination is given. */
export function createLog(level: Config['logLevel'], destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    // Whatever an error or a text says: keys and tokens are known by their prefix.
    hooks: { streamWrite: maskBareSecrets },
    // Not pino's own redaction: it knows no depth but those it is told, and takes 50 times as long.
    // Serialisers also see what a child logger is bound to, which the formatter below does not.
    serializers: { ...SECRET_SERIALIZERS, err: describeError },
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (fields: Record<string, unknown>) => maskSecretFields(withoutRequest(fields)),
    },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}

const SECRET_SERIALIZERS = Object.fromEntries([...SECRET_FIELDS].map((field) => [field, () => MASK]))

/** Of a request only what is harmless: headers stay out of the log altogether, and the URL loses its credentials. */
function withoutRequest(fields: Record<string, unknown>): Record<string, unknown> {
  const { req } = fields
  return typeof req === 'object' && req !== null ? { ...fields, req: describeRequest(req) } : fields
}

type LoggedRequest = { id?: unknown; method?: unknown; url?: unknown; ip?: unknown }

function describeRequest({ id, method, url, ip }: LoggedRequest) {
  return { id, method, url: typeof url === 'string' ? redactUrl(url) : undefined, remote_address: ip }
}
