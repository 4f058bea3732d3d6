import { isObject } from '@burgee/contract'

/** The way in which the value of a keyword is read. */
export type Keyword =
  | { readonly kind: 'schema' | 'schemas' | 'properties' | 'patterns' | 'pattern' }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'value'; readonly noun: string; readonly fits: (value: unknown) => boolean }

const TYPES = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string']

const isType = (value: unknown) => typeof value === 'string' && TYPES.includes(value)
const isTextList = (value: unknown) => Array.isArray(value) && value.every((each) => typeof each === 'string')
const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0

const SCHEMA: Keyword = { kind: 'schema' }
const SCHEMAS: Keyword = { kind: 'schemas' }
const PROPERTIES: Keyword = { kind: 'properties' }
const NUMBER: Keyword = { kind: 'value', noun: 'a number', fits: Number.isFinite }
const COUNT: Keyword = { kind: 'value', noun: 'a whole number of at least 0', fits: isCount }
const TEXTS: Keyword = { kind: 'value', noun: 'a list of texts', fits: isTextList }
const ANY: Keyword = { kind: 'value', noun: 'any value', fits: () => true }

/**
 * The keywords of JSON Schema 2020-12 that decide about values
 * (https://json-schema.org/draft/2020-12/json-schema-validation). Others, such as `title` and `format`, are
 * annotations.
 */
export const KEYWORDS: Readonly<Record<string, Keyword>> = {
  items: SCHEMA,
  contains: SCHEMA,
  additionalProperties: SCHEMA,
  propertyNames: SCHEMA,
  unevaluatedItems: SCHEMA,
  unevaluatedProperties: SCHEMA,
  not: SCHEMA,
  if: SCHEMA,
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: SCHEMA,
  else: SCHEMA,
  allOf: SCHEMAS,
  anyOf: SCHEMAS,
  oneOf: SCHEMAS,
  prefixItems: SCHEMAS,
  properties: PROPERTIES,
  patternProperties: { kind: 'patterns' },
  dependentSchemas: PROPERTIES,
  $defs: PROPERTIES,
  definitions: PROPERTIES,
  minimum: NUMBER,
  maximum: NUMBER,
  exclusiveMinimum: NUMBER,
  exclusiveMaximum: NUMBER,
  multipleOf: { kind: 'value', noun: 'a number above 0', fits: (value) => Number(value) > 0 },
  minLength: COUNT,
  maxLength: COUNT,
  minItems: COUNT,
  maxItems: COUNT,
  minContains: COUNT,
  maxContains: COUNT,
  minProperties: COUNT,
  maxProperties: COUNT,
  required: TEXTS,
  dependentRequired: {
    kind: 'value',
    noun: 'an object of lists of texts',
    fits: (value) => isObject(value) && Object.values(value).every(isTextList),
  },
  uniqueItems: { kind: 'value', noun: 'true or false', fits: (value) => typeof value === 'boolean' },
  enum: { kind: 'value', noun: 'a list', fits: Array.isArray },
  const: ANY,
  type: {
    kind: 'value',
    noun: `one of ${TYPES.join(', ')}, or a list of them`,
    fits: (value) => isType(value) || (Array.isArray(value) && value.every(isType)),
  },
  pattern: { kind: 'pattern' },
  $anchor: { kind: 'value', noun: 'a text', fits: (value) => typeof value === 'string' },
  $ref: {
    kind: 'value',
    noun: 'a reference within the schema: #, or a path or name after it',
    fits: (value) => typeof value === 'string' && value.startsWith('#'),
  },
  $dynamicRef: { kind: 'refused', message: 'is not supported; use $ref' },
}
