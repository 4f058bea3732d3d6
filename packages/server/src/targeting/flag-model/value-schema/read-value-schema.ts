import { isObject, PROBLEMS_MAX, VALUE_SCHEMA_DEPTH_MAX, VALUE_SCHEMA_MAX_BYTES } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'
import type { Spend } from '../../../kernel/check-budget.ts'
import { escapePointer } from '../../../kernel/hygiene.ts'
import type { ProblemDetail } from '../../../kernel/refusal.ts'
import { findLostReferences, findTargets, type Reference } from './find-targets.ts'
import { KEYWORDS, type Keyword } from './keywords.ts'
import { createLinearPattern, type LinearPattern } from './linear-pattern.ts'
import type { Keywords, ReadSchema } from './read-schema.ts'
import type { SchemaDocument } from './rules/rule-source.ts'

/** The steps to read a schema or a keyword. */
const STEPS_PER_PART = 4

interface Reading {
  readonly problems: ProblemDetail[]
  /** Counts what is read of the schema, and the states of its patterns. */
  readonly spend: Spend
}

/** The fields that all places of a schema have in common. */
interface Document extends Reading {
  readonly references: Reference[]
  readonly anchors: Map<string, ReadSchema>
  /** All schemas within the schema: a reference leads to one of them. */
  readonly schemas: Set<ReadSchema>
  readonly patterns: Map<string, LinearPattern>
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
export function readValueSchema(schema: JsonValue, path: string, reading: Reading): SchemaDocument {
  const { problems } = reading
  const document: Document = {
    ...reading,
    ...{ references: [], anchors: new Map(), schemas: new Set(), patterns: new Map() },
  }
  const bytes = Buffer.byteLength(JSON.stringify(schema))
  if (bytes > VALUE_SCHEMA_MAX_BYTES)
    problems.push({ path, message: `has ${bytes} bytes; at most ${VALUE_SCHEMA_MAX_BYTES}` })
  const root = problems.length > 0 || readSchema(schema, { ...document, path, level: 1 })
  const targets = findTargets(root, document)
  // Where something is wrong, a reference may lead to what was left out.
  if (problems.length === 0) problems.push(...findLostReferences(document.references, targets))
  return {
    root,
    patterns: document.patterns,
    resolve: (reference) => targets.get(reference) ?? false,
  }
}

function refuse({ path, problems }: Place, message: string): undefined {
  if (problems.length < PROBLEMS_MAX) problems.push({ path, message })
}

const below = (place: Place, name: string): Place => ({
  ...place,
  path: `${place.path}/${escapePointer(name)}`,
})

function readSchema(schema: JsonValue, place: Place): ReadSchema {
  place.spend(STEPS_PER_PART)
  if (typeof schema === 'boolean') return schema
  if (!isObject(schema)) refuse(place, 'must be a JSON Schema: an object, true or false')
  else if (place.level > VALUE_SCHEMA_DEPTH_MAX)
    refuse(place, `is nested too deeply: at most ${VALUE_SCHEMA_DEPTH_MAX} levels of schemas`)
  else {
    const read = Object.entries(schema).map(([name, value]) => [
      name,
      readKeyword(name, value, below(place, name)),
    ])
    const keywords: Keywords = Object.fromEntries(read.filter(([, value]) => value !== undefined))
    place.schemas.add(keywords)
    if (typeof keywords.$anchor === 'string') place.anchors.set(keywords.$anchor, keywords)
    return keywords
  }
  return true
}

/** Returns the value of a keyword for the check; undefined for what it must not see. */
function readKeyword(name: string, value: JsonValue, place: Place): unknown {
  const keyword: Keyword | undefined = Object.hasOwn(KEYWORDS, name) ? KEYWORDS[name] : undefined
  if (keyword === undefined) return undefined
  const next = { ...place, level: place.level + 1 }
  place.spend(STEPS_PER_PART)
  switch (keyword.kind) {
    case 'schema':
      return readSchema(value, next)
    case 'schemas':
      if (!Array.isArray(value) || value.length === 0) return refuse(place, 'must be a list of schemas')
      return value.map((each, index) => readSchema(each, below(next, String(index))))
    case 'properties':
    case 'patterns':
      if (!isObject(value)) return refuse(place, 'must be an object whose fields are schemas')
      return Object.fromEntries(
        Object.entries(value).map(([field, each]) => {
          const inside = below(next, field)
          if (keyword.kind === 'patterns') readPattern(field, inside)
          return [field, readSchema(each, inside)]
        }),
      )
    case 'pattern':
      return readPattern(value, place)
    case 'refused':
      return refuse(place, keyword.message)
    default:
      if (!keyword.fits(value)) return refuse(place, `must be ${keyword.noun}`)
      if (name === '$ref') place.references.push({ path: place.path, target: String(value) })
      return value
  }
}

function readPattern(value: JsonValue, place: Place): LinearPattern | undefined {
  if (typeof value !== 'string') return refuse(place, 'must be a text')
  const known = place.patterns.get(value)
  if (known) return known
  const pattern = createLinearPattern(value, place.spend)
  if ('matches' in pattern) {
    place.patterns.set(value, pattern)
    return pattern
  }
  return refuse(
    place,
    `is not a pattern that Burgee can match: it ${pattern.message} (at character ${pattern.index + 1})`,
  )
}
