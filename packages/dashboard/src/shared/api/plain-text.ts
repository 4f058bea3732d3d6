import { wireNames } from 'virtual:contract-endpoints'

/** Fields of the API whose label in the page differs from their name. */
const LABELS: Readonly<Record<string, string>> = {
  is_enabled: 'on or off',
  flag_type: 'type',
  env_id: 'environment',
  target_env_id: 'target environment',
  goal_event_key: 'goal',
  control_variant: 'control',
  owner_email: 'owner',
  scheduled_at: 'time',
  url: 'URL',
  webhook_url: 'webhook URL',
}

/** Other names with an underscore are those of people: of flags, environments, roles and accounts. */
const KNOWN: ReadonlySet<string> = new Set(wireNames)
/**
 * A word that may be a field. It is lower case, so that settings such as SDK_KEY stay as they are, and is no
 * part of an address or of another name.
 */
const FIELD = /(?<![\w@.:/-])[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?![\w@/-]|[.:]\w)/g
/** A JSON pointer at the start of a word. Addresses of endpoints are none. */
const POINTER = /(?<![^\s(“"])\/(?!api\b|\/)[\w~][\w~-]*(?:\/[\w~-]+)*/g
/** Quoted texts are what people have written: keys, names and values. */
const QUOTED = /("[^"]*"|“[^”]*”)/

/**
 * Returns a text of the API in the words of the page: JSON pointers and field names become labels, and
 * positions count from 1. Quoted texts stay, and so do
 * names that the contract does not know.
 */
export const plainText = (text: string): string =>
  text
    .split(QUOTED)
    .map((part, index) => (index % 2 === 0 ? plainPart(part) : part))
    .join('')

const plainPart = (text: string): string =>
  text
    .replaceAll('`', '')
    .replace(POINTER, (pointer) => describePointer(pointer))
    .replace(FIELD, (field) => labelOf(field))

/** Returns a JSON pointer as words: `/rules/0/values` becomes `rule 1 values`. */
export function describePointer(pointer: string): string {
  const parts = pointer
    .split('/')
    .filter((part) => part !== '')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  const words = parts.map((part, at) => describePart(part, parts[at + 1])).join(' ')
  // The body itself is a list.
  return /^\d/.test(words) ? `item ${words}` : words
}

function describePart(part: string, next: string | undefined): string {
  if (/^\d+$/.test(part)) return String(Number(part) + 1)
  const label = labelOf(part)
  return next !== undefined && /^\d+$/.test(next) ? singular(label) : label
}

function labelOf(field: string): string {
  const label = LABELS[field]
  if (label !== undefined) return label
  if (!KNOWN.has(field)) return field
  return field
    .replace(/^is_/, '')
    .replace(/(?<=.)_id$/, '')
    .replaceAll('_', ' ')
}

const singular = (label: string): string => label.replace(/s$/, '')

/** Returns `must be at least 1` as a sentence. */
export function asSentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`
}

/** Returns a problem of a field as a sentence: `Rollout percentage must be from 0 to 100.` */
export function describeDetail({
  message,
  path,
}: {
  readonly message: string
  readonly path: string
}): string {
  // A message that begins in lower case continues the name of its field.
  return asSentence(path !== '' && /^[a-z]/.test(message) ? `${describePointer(path)} ${message}` : message)
}
