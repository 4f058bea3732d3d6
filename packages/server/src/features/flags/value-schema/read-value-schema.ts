import { isObject, PROBLEMS_MAX, VALUE_SCHEMA_DEPTH_MAX, VALUE_SCHEMA_MAX_BYTES } from '@burgee/contract'
import { checkPattern, type JsonValue } from '@burgee/evaluation'
import { escapePointer } from '../../../kernel/hygiene.ts'
import type { ProblemDetail } from '../../../kernel/refusal.ts'
import { findLostReferences, type Reference } from './find-lost-references.ts'
import { KEYWORDS, type Keyword } from './keywords.ts'
import { LinearPattern } from './linear-pattern.ts'
import { type PatternEntry, toProperties } from './pattern-properties.ts'
import type { Keywords, ReadSchema } from './read-schema.ts'

interface Reading {
  readonly problems: ProblemDetail[]
  /** The names of all fields in the values that are checked. */
  readonly names: ReadonlySet<string>
  /** Counts the steps of patterns. */
  readonly spend: (steps: number) => void
}

/** The fields that all places of a schema have in common. */
interface Document extends Reading {
  readonly references: Reference[]
  readonly anchors: Set<string>
}

interface Place extends Document {
  readonly path: string
  readonly level: number
}

/**
 * Reads the JSON Schema (2020-12) of a flag's values. It comes from people, so it is bounded in bytes and
 * depth, names nothing outside itself, and its patterns are those that match in linear time. Adds what is
 * wrong to `problems`.
 */
export function readValueSchema(schema: JsonValue, path: string, reading: Reading): ReadSchema {
  const { problems } = reading
  const bytes = Buffer.byteLength(JSON.stringify(schema))
  if (bytes > VALUE_SCHEMA_MAX_BYTES) {
    problems.push({ path, message: `has ${bytes} bytes; at most ${VALUE_SCHEMA_MAX_BYTES}` })
    return true
  }
  const document: Document = { ...reading, references: [], anchors: new Set() }
  const read = readSchema(schema, { ...document, path, level: 1 })
  // Where something is wrong, a reference may lead to what was left out.
  if (problems.length === 0)
    problems.push(...findLostReferences(read, document.references, document.anchors).slice(0, PROBLEMS_MAX))
  return read
}

function refuse({ path, problems }: Place, message: string): undefined {
  if (problems.length < PROBLEMS_MAX) problems.push({ path, message })
}

const below = (place: Place, name: string): Place => ({
  ...place,
  path: `${place.path}/${escapePointer(name)}`,
})

function readSchema(schema: JsonValue, place: Place): ReadSchema {
  if (typeof schema === 'boolean') return schema
  if (!isObject(schema)) refuse(place, 'must be a JSON Schema: an object, true or false')
  else if (place.level > VALUE_SCHEMA_DEPTH_MAX)
    refuse(place, `is nested too deeply: at most ${VALUE_SCHEMA_DEPTH_MAX} levels of schemas`)
  else {
    const { patternProperties, ...rest } = schema
    const read = Object.entries(rest).map(([name, value]) => [
      name,
      readKeyword(name, value, below(place, name)),
    ])
    const plain: Keywords = Object.fromEntries(read.filter(([, value]) => value !== undefined))
    const patterns =
      patternProperties === undefined
        ? []
        : readPatternProperties(patternProperties, below(place, 'patternProperties'))
    return toProperties(plain, patterns, place.names, place.spend)
  }
  return true
}

function readPatternProperties(value: JsonValue, place: Place): PatternEntry[] {
  if (!isObject(value)) {
    refuse(place, 'must be an object whose fields are schemas')
    return []
  }
  return Object.entries(value).flatMap(([text, each]) => {
    const next = below({ ...place, level: place.level + 1 }, text)
    const pattern = readPattern(text, next)
    return pattern ? [{ pattern, schema: readSchema(each, next) }] : []
  })
}

/** Returns the value of a keyword for the interpreter; undefined for what it must not see. */
function readKeyword(name: string, value: JsonValue, place: Place): unknown {
  const keyword: Keyword | undefined = Object.hasOwn(KEYWORDS, name) ? KEYWORDS[name] : undefined
  if (keyword === undefined) return undefined
  const next = { ...place, level: place.level + 1 }
  switch (keyword.kind) {
    case 'schema':
      return readSchema(value, next)
    case 'schemas':
      if (!Array.isArray(value) || value.length === 0) return refuse(place, 'must be a list of schemas')
      return value.map((each, index) => readSchema(each, below(next, String(index))))
    case 'properties':
      if (!isObject(value)) return refuse(place, 'must be an object whose fields are schemas')
      return Object.fromEntries(
        Object.entries(value).map(([field, each]) => [field, readSchema(each, below(next, field))]),
      )
    case 'pattern':
      return readPattern(value, place)
    case 'refused':
      return refuse(place, keyword.message)
    default:
      if (!keyword.fits(value)) return refuse(place, `must be ${keyword.noun}`)
      if (name === '$ref') place.references.push({ path: place.path, target: String(value) })
      if (name === '$anchor') place.anchors.add(String(value))
      return value
  }
}

function readPattern(value: JsonValue, place: Place): LinearPattern | undefined {
  if (typeof value !== 'string') return refuse(place, 'must be a text')
  const problem = checkPattern(value)
  if (problem === null) return new LinearPattern(value, place.spend)
  return refuse(
    place,
    `is not a pattern that Burgee can match: it ${problem.message} (at character ${problem.index + 1})`,
  )
}
