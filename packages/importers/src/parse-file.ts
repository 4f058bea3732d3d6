import { CORE_SCHEMA, mergeTag, load as parseYaml } from 'js-yaml'
import { parse as parseToml } from 'smol-toml'
import { findRepeatedKeys } from './find-repeated-keys.ts'
import { tableOf } from './reading.ts'
import { type SourceFile, UnreadableFile } from './system.ts'

/** A file as it was read: JSON, YAML or TOML. */
export interface FileText {
  readonly name: string
  readonly content: string
}

/** Levels of a file, and values in it with what its aliases repeat. */
const DEPTH_MAX = 1_000
const VALUES_MAX = 2_000_000
const REASON_MAX_LENGTH = 300

/**
 * Parses a file by the ending of its name, or by its content where there is none. Throws `UnreadableFile` for
 * one of no format, with too many levels, or with too many values.
 */
export function parseFile({ content, name }: FileText): SourceFile {
  const text = content.replace(/^\uFEFF/, '')
  const [format, parse] = FORMATS[endingOf(name)] ?? guess(text)
  const data = orUnreadable(`${name} is not ${format}`, () => parse(text))
  const budget = { values: VALUES_MAX }
  // The other formats refuse a key that comes again.
  const repeated = format === 'JSON' ? findRepeatedKeys(text) : []
  return {
    ...{ name, data: toJson(name, data, { budget, depth: 0 }) },
    ...(repeated.length > 0 && { repeated }),
  }
}

type Parse = (text: string) => unknown

const JSON_FORMAT = ['JSON', (text: string): unknown => JSON.parse(text)] as const
/** The keys that `<<` copies in one file. */
const MERGED_MAX = 100_000
/** Aliases share their values, which are counted each time (`VALUES_MAX`). */
const YAML_SCHEMA = CORE_SCHEMA.withTags(mergeTag)
const YAML_FORMAT = [
  'YAML',
  (text: string): unknown =>
    parseYaml(text, { schema: YAML_SCHEMA, maxDepth: DEPTH_MAX, maxTotalMergeKeys: MERGED_MAX }),
] as const
const TOML_FORMAT = [
  'TOML',
  (text: string): unknown => parseToml(text, { integersAsBigInt: 'asNeeded' }),
] as const

const FORMATS = tableOf<readonly [string, Parse]>({
  json: JSON_FORMAT,
  yaml: YAML_FORMAT,
  yml: YAML_FORMAT,
  toml: TOML_FORMAT,
})

const endingOf = (name: string): string => (/\.(json|ya?ml|toml)$/i.exec(name)?.[1] ?? '').toLowerCase()

/** Objects and lists begin JSON; a line `name = ` or `[name]` begins TOML. */
function guess(text: string): readonly [string, Parse] {
  if (/^\s*[{[]\s*["{}\]]/.test(text)) return JSON_FORMAT
  return /^\s*(?:#[^\n]*\n\s*)*(?:\[[^\]\n]+\]\s*(?:\n|$)|[\w."-]+[ \t]*=)/.test(text)
    ? TOML_FORMAT
    : YAML_FORMAT
}

function orUnreadable<Value>(what: string, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    const isDeep = error instanceof RangeError && /call stack/.test(error.message)
    const reason = isDeep ? 'it is nested too deeply' : error instanceof Error ? error.message : String(error)
    const line = reason.split('\n', 1)[0] ?? ''
    throw new UnreadableFile(`${what}: ${line.slice(0, REASON_MAX_LENGTH)}`)
  }
}

/** Returns a copy with what JSON has: dates are texts, and repeated parts are counted each time. */
function toJson(
  name: string,
  value: unknown,
  at: { readonly budget: { values: number }; readonly depth: number },
): unknown {
  at.budget.values -= 1
  if (at.budget.values < 0)
    throw new UnreadableFile(`${name} has more than ${VALUES_MAX} values. Import it in parts.`)
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Date) return value.toISOString()
  if (typeof value !== 'object' || value === null) return value
  if (at.depth >= DEPTH_MAX) throw new UnreadableFile(`${name} has more than ${DEPTH_MAX} levels.`)
  const inside = { ...at, depth: at.depth + 1 }
  if (Array.isArray(value)) return value.map((item) => toJson(name, item, inside))
  // A key `__proto__` is an ordinary one.
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toJson(name, item, inside)]))
}
