import { Type } from 'typebox'
import { INVARIANTS_MAX } from './limits.ts'
import type { JsonSchema } from './open-api/document.ts'
import { NAMED_SCHEMAS } from './open-api/named-schemas.ts'
import { toDefinition, toJsonSchema } from './open-api/to-json-schema.ts'
import { AppliedFlag, AppliedSegment, ApplyInput } from './schemas/apply.ts'
import { InvariantInput } from './schemas/invariant.ts'

/** The version of the file format, the only one so far (docs/cli.md#files). */
export const APPLY_FILE_VERSION = 'burgee/v1'

const COMPONENTS = '#/components/schemas/'
const DEFINITIONS = '#/$defs/'

const slug = (description: string) => Type.Optional(Type.String({ minLength: 1, description }))
const { flags, name, segments } = ApplyInput.properties

const ApplyFileDocument = Type.Object({
  $schema: Type.Optional(Type.String({ description: 'The address of this schema, for editors' })),
  apiVersion: Type.Literal(APPLY_FILE_VERSION, { description: 'The version of the format' }),
  name,
  project: slug('The slug of the project; otherwise `--project` names it'),
  environment: slug('The slug of the environment; otherwise `--env` names it'),
  segments,
  flags,
  invariants: Type.Optional(
    Type.Array(InvariantInput, {
      maxItems: INVARIANTS_MAX,
      description: 'Demands on the flags of the project, in all its environments or those that they name',
    }),
  ),
})

/** The fields of a document of an apply file. */
export const APPLY_FILE_FIELDS: readonly string[] = Object.keys(ApplyFileDocument.properties)

/** The fields of what the lists of a document have. */
export const APPLY_ITEM_FIELDS = {
  segments: Object.keys(AppliedSegment.properties),
  flags: Object.keys(AppliedFlag.properties),
  create: Object.keys(AppliedFlag.properties).filter((name) => name !== 'key' && name !== 'create'),
  invariants: Object.keys(InvariantInput.properties),
} as const

/**
 * Builds the JSON Schema (draft 2020-12) of the files that `burgee apply` takes: one document, or in JSON a
 * list of them. It refuses unknown fields of documents, segments and flags: editors mark mistyped names.
 */
export function applyFileSchema(): JsonSchema {
  const document = refuseUnknown(toJsonSchema(ApplyFileDocument))
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Burgee flags as code',
    anyOf: [{ $ref: `${DEFINITIONS}Document` }, { type: 'array', items: { $ref: `${DEFINITIONS}Document` } }],
    $defs: { Document: document, ...definitionsOf(document) },
  }
  return JSON.parse(JSON.stringify(schema).replaceAll(COMPONENTS, DEFINITIONS)) as JsonSchema
}

/** Refuses unknown fields of the document, of its things and of the fields of their creation. */
function refuseUnknown(schema: JsonSchema): JsonSchema {
  const { items, properties } = schema
  return {
    ...schema,
    ...(items && { items: refuseUnknown(items) }),
    ...(properties && {
      additionalProperties: false,
      properties: Object.fromEntries(
        Object.entries(properties).map(([field, property]) => [
          field,
          CLOSED.includes(field) ? refuseUnknown(property) : property,
        ]),
      ),
    }),
  }
}

const CLOSED = ['segments', 'flags', 'create', 'invariants']

/** Returns the named schemas that a schema references, and those that they reference. */
function definitionsOf(
  schema: JsonSchema,
  found: Record<string, JsonSchema> = {},
): Readonly<Record<string, JsonSchema>> {
  for (const [, name = ''] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    const named = Object.entries(NAMED_SCHEMAS).find(([other]) => other === name)?.[1]
    if (!named || name in found) continue
    found[name] = toDefinition(named)
    definitionsOf(found[name], found)
  }
  return found
}
