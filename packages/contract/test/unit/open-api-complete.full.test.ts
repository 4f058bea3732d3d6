import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formatsPlugin from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { type Endpoint, endpoints, type JsonSchema, openApiDocument } from '../../src/index.ts'

const document = openApiDocument(endpoints, { version: '1.2.3' })
const { parameters, responses, schemas } = document.components
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
const byId = operations.map((operation) => [operation.operationId, operation] as const)
const named = Object.entries(schemas)

const ajv = new Ajv2020({ strict: false, allErrors: true })
formatsPlugin.default(ajv, ['date-time', 'uuid'])
ajv.addSchema(document, 'openapi')

/** The validators so far, by the JSON of their schema: most operations have the same errors. */
const validators = new Map<string, ValidateFunction>()

/** Returns the problems of an example. Unknown fields count as problems at the top level. */
function problemsOf(schema: JsonSchema, example: unknown): string[] {
  const json = JSON.stringify(schema)
  const validate = validators.get(json) ?? compile(json)
  validators.set(json, validate)
  return validate(example) ? [] : (validate.errors ?? []).map((error) => JSON.stringify(error))
}

function compile(json: string): ValidateFunction {
  const absolute = JSON.parse(json.replaceAll('"#/', '"openapi#/'))
  const isClosed = !('additionalProperties' in absolute)
  return ajv.compile({ allOf: [absolute], ...(isClosed && { unevaluatedProperties: false }) })
}

const lastPart = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1)

describe.each(byId)('the operation %s', (name, operation) => {
  const endpoint: Endpoint | undefined = Object.entries(endpoints).find(([id]) => id === name)?.[1]
  const answers = Object.entries(operation.responses)

  it('every operation has a summary and a description besides its access', () => {
    expect(operation.summary).not.toBe('')
    expect(endpoint?.description ?? '').not.toBe('')
  })

  it('every parameter of an operation has a description', () => {
    for (const given of operation.parameters) {
      const parameter = '$ref' in given ? parameters[lastPart(given.$ref)] : given
      expect(parameter?.description ?? '', parameter?.name).not.toBe('')
    }
  })

  it('every body of an operation has an example', () => {
    for (const [contentType, { example, schema }] of Object.entries(operation.requestBody?.content ?? {})) {
      expect(example, contentType).toBeDefined()
      expect(problemsOf(schema, example)).toEqual([])
    }
  })

  it('every response of an operation has an example, errors included', () => {
    for (const [status, given] of answers) {
      const response = '$ref' in given ? responses[lastPart(given.$ref)] : given
      expect(given.description ?? response?.description ?? '', status).not.toBe('')
      for (const { example, schema } of Object.values(response?.content ?? {})) {
        expect(example, status).toBeDefined()
        expect(problemsOf(schema, example), status).toEqual([])
      }
    }
  })

  it('every operation describes its conflicts and its refusals of valid input', () => {
    const own = (endpoint?.errors ?? []).filter((status) => status === 409 || status === 422)
    const said = Object.keys(endpoint?.refusals ?? {})
    expect(said).toEqual(expect.arrayContaining(own.map(String)))
    expect(answers.map(([status]) => status)).toEqual(expect.arrayContaining(said))
  })
})

describe('every tag', () => {
  it.each(document.tags.map(({ name, description }) => [name, description]))(
    'the tag %s has a description',
    (_, text) => {
      expect(text ?? '').not.toBe('')
    },
  )
})

/** Fields whose name is their description. */
const PLAIN_FIELDS = ['name', 'email', 'message']

describe.each(named)('the schema %s', (_, schema) => {
  it('every schema has valid examples', () => {
    const examples = schema.allOf ? [] : (schema.examples ?? [])
    expect(examples.length > 0 || schema.allOf !== undefined).toBe(true)
    expect(examples.flatMap((example) => problemsOf(schema, example))).toEqual([])
  })

  it('every field has a description unless its name is enough', () => {
    expect(undescribed(schema, '')).toEqual([])
  })
})

/** Returns the paths of fields without a description, neither their own nor that of a named schema. */
function undescribed(schema: JsonSchema, path: string): string[] {
  const below = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])]
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    ...(isDescribed(field) || PLAIN_FIELDS.includes(name) ? [] : [`${path}/${name}`]),
    ...undescribed(field, `${path}/${name}`),
  ])
  return [...fields, ...below.flatMap((part) => undescribed(part, path))]
}

const isDescribed = ({ $ref, anyOf, description, items }: JsonSchema): boolean =>
  description !== undefined ||
  $ref !== undefined ||
  [...(anyOf ?? []), ...(items ? [items] : [])].some(isDescribed)
