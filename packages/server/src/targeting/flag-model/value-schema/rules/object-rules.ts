import type { CheckRun } from '../check-run.ts'
import type { JsonObject } from '../field-names.ts'
import type { LinearPattern } from '../linear-pattern.ts'
import type { ReadSchema } from '../read-schema.ts'
import { quote, type RuleOf, type RuleSource } from './rule-source.ts'

/** The steps to look a name up among many. */
const STEPS_PER_NAME = 2

type Schemas = Readonly<Record<string, ReadSchema>>

export const OBJECT_RULES: Readonly<Record<string, RuleOf<JsonObject>>> = {
  minProperties: (limit) => (run, fields) =>
    run.names.of(fields).length >= Number(limit) || run.fail(`must not have fewer than ${limit} properties`),
  maxProperties: (limit) => (run, fields) =>
    run.names.of(fields).length <= Number(limit) || run.fail(`must not have more than ${limit} properties`),
  required: (names) => (run, fields) => hasAll(run, fields, names as readonly string[]),
  dependentRequired(argument) {
    const dependencies = Object.entries(argument as Readonly<Record<string, readonly string[]>>)
    return (run, fields) => {
      for (const [name, needed] of dependencies) {
        run.spend(1)
        if (Object.hasOwn(fields, name) && !hasAll(run, fields, needed, name)) return false
      }
      return true
    }
  },
  properties: (schemas, { run }) => propertiesRule(schemas as Schemas, run),
  patternProperties(argument, source) {
    const entries = patternEntries(argument as Schemas, source)
    return (run, fields, parts) => {
      for (const name of run.names.of(fields)) {
        for (const [pattern, schema] of entries) {
          run.spend(1)
          if (!pattern.matches(name)) continue
          if (!run.fitsAt(name, schema, fields[name])) return false
          parts?.add(name)
        }
      }
      return true
    }
  },
  additionalProperties(argument, source) {
    const each = argument as ReadSchema
    const { patternProperties = {}, properties = {} } = source.schema as Beside
    const entries = patternEntries(patternProperties, source)
    return (run, fields, parts) => {
      for (const name of run.names.of(fields)) {
        run.spend(STEPS_PER_NAME)
        if (Object.hasOwn(properties, name) || entries.some(([pattern]) => pattern.matches(name))) continue
        if (each === false) return run.fail(`must not have the additional property ${quote(name)}`)
        if (!run.fitsAt(name, each, fields[name])) return false
      }
      parts?.addAll()
      return true
    }
  },
  propertyNames(argument) {
    const each = argument as ReadSchema
    return (run, fields) => {
      for (const name of run.names.of(fields))
        if (!run.fitsBranch(each, name, null))
          return run.fail(`must not have the property ${quote(name)}: propertyNames does not allow the name`)
      return true
    }
  },
  dependentSchemas(argument, { run }) {
    const schemas = Object.entries(argument as Schemas)
    run.spend(schemas.length)
    return (run, fields, parts) => {
      for (const [name, schema] of schemas) {
        run.spend(1)
        if (Object.hasOwn(fields, name) && !run.fits(schema, fields, parts)) return false
      }
      return true
    }
  },
}

export const LAST_OBJECT_RULES: Readonly<Record<string, RuleOf<JsonObject>>> = {
  unevaluatedProperties(argument) {
    const each = argument as ReadSchema
    return (run, fields, parts) => {
      for (const name of run.names.of(fields)) {
        run.spend(1)
        if (parts?.has(name)) continue
        if (each === false) return run.fail(`must not have the unevaluated property ${quote(name)}`)
        if (!run.fitsAt(name, each, fields[name])) return false
      }
      parts?.addAll()
      return true
    }
  },
}

interface Beside {
  readonly properties?: Schemas
  readonly patternProperties?: Schemas
}

/** Reads the names of the schema or those of the value, of which there are fewer. */
function propertiesRule(schemas: Schemas, { names, spend }: CheckRun): ReturnType<RuleOf<JsonObject>> {
  const known = names.of(schemas)
  spend(known.length)
  return (run, fields, parts) => {
    const own = run.names.of(fields)
    for (const name of own.length < known.length ? own : known) {
      run.spend(STEPS_PER_NAME)
      const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined
      if (schema === undefined || !Object.hasOwn(fields, name)) continue
      if (!run.fitsAt(name, schema, fields[name])) return false
      parts?.add(name)
    }
    return true
  }
}

function hasAll(run: CheckRun, fields: JsonObject, names: readonly string[], because?: string): boolean {
  for (const name of names) {
    run.spend(1)
    if (Object.hasOwn(fields, name)) continue
    const reason = because === undefined ? '' : `, because it has ${quote(because)}`
    return run.fail(`must have the property ${quote(name)}${reason}`)
  }
  return true
}

/** Returns the compiled pattern of each name, with its schema. */
const patternEntries = (schemas: Schemas, { document }: RuleSource): [LinearPattern, ReadSchema][] =>
  Object.entries(schemas).flatMap(([text, schema]) => {
    const pattern = document.patterns.get(text)
    return pattern ? [[pattern, schema]] : []
  })
