import { describeError } from './describe-error.ts'

/** The names of fields that never reach a log line, at any depth; lower case. */
export const SECRET_FIELDS: ReadonlySet<string> = new Set([
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
])

export const MASK = '[redacted]'
/** The depth that is logged. Useful lines have nothing deeper, and an object may contain itself. */
const DEPTH_MAX = 6
const TOO_DEEP = '[too deep]'
/** The length of a text. Input from outside must not make a line of megabytes. */
const TEXT_MAX_LENGTH = 10_000

/** Copies the fields of a log line with secrets masked at every depth. */
export function maskSecretFields(fields: Record<string, unknown>): Record<string, unknown> {
  return maskFields(fields, 1)
}

function maskFields(fields: object, depth: number): Record<string, unknown> {
  const masked: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    masked[name] = SECRET_FIELDS.has(name.toLowerCase()) ? MASK : maskValue(value, depth)
  }
  return masked
}

function maskValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string' && value.length > TEXT_MAX_LENGTH)
    return `${value.slice(0, TEXT_MAX_LENGTH)}…`
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Error) return describeError(value)
  if ('toJSON' in value) return value
  if (depth >= DEPTH_MAX) return TOO_DEEP
  if (Array.isArray(value)) return value.map((each) => maskValue(each, depth + 1))
  return isPlain(value) ? maskFields(value, depth + 1) : `[${value.constructor.name}]`
}

/** Returns whether an object is plain data. Sockets, pools and responses are not. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
