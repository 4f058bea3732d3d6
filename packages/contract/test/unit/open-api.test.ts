import { readFile } from 'node:fs/promises'
import { type TSchema, Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import {
  ACCESS,
  type Endpoint,
  endpoint,
  endpoints,
  type OpenApiDocument,
  openApiDocument,
} from '../../src/index.ts'

const all: [string, Endpoint][] = Object.entries(endpoints)
const document = openApiDocument(endpoints, { version: '1.2.3' })
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

const readJson = async (name: string) =>
  JSON.parse(await readFile(new URL(`../../${name}`, import.meta.url), 'utf8'))

const documentOf = (definition: Partial<Endpoint>): OpenApiDocument =>
  openApiDocument(
    {
      doIt: endpoint({
        method: 'POST',
        path: '/api/things/:thing_id',
        summary: 'Do it',
        tag: 'Thing',
        access: 'write_flags',
        responses: { 200: Type.String() },
        ...definition,
      }),
    },
    { version: '1' },
  )

const operationOf = (definition: Partial<Endpoint>, method = 'post') => {
  const operation = documentOf(definition).paths['/api/things/{thing_id}']?.[method]
  if (!operation) throw new Error('no such operation')
  return operation
}

describe('the committed openapi.json', () => {
  it('openapi.json matches the contract; after a change run scripts/write-openapi.mjs', async () => {
    const { version } = await readJson('package.json')
    expect(await readJson('openapi.json')).toEqual(openApiDocument(endpoints, { version }))
  })
})

describe('the OpenAPI document', () => {
  it('the OpenAPI document contains every endpoint once and nothing else', () => {
    const described = operations.map(
      ({ method, operation, path }) => `${operation.operationId} ${method} ${path}`,
    )
    const mounted = all.map(
      ([name, { method, path }]) => `${name} ${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')}`,
    )
    expect(described.sort()).toEqual(mounted.sort())
  })

  it('the OpenAPI document states its version and OpenAPI 3.1', () => {
    expect(document.openapi).toBe('3.1.0')
    expect(document.info).toMatchObject({ title: 'Burgee', version: '1.2.3' })
  })

  it('every operation has a unique id', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('every parameter of a path is declared as required, and no others', () => {
    for (const { operation, path } of operations) {
      const declared = operation.parameters.flatMap((parameter) =>
        'in' in parameter && parameter.in === 'path' ? [parameter] : [],
      )
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      expect(declared.map(({ name }) => name).sort(), path).toEqual(inPath.sort())
      expect(declared.every(({ required }) => required)).toBe(true)
    }
  })

  it('every reference of the OpenAPI document has a definition', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)]
    expect(references.length).toBeGreaterThan(50)
    for (const [, kind, name] of references) {
      expect(Object.keys(document.components[kind as keyof OpenApiDocument['components']])).toContain(name)
    }
  })

  it('the OpenAPI document lists every tag of its operations', () => {
    const used = new Set(operations.flatMap(({ operation }) => operation.tags))
    expect(document.tags.map(({ name }) => name).sort()).toEqual([...used].sort())
  })

  it('operations only use declared credentials', () => {
    const used = operations.flatMap(({ operation }) =>
      operation.security.flatMap((scheme) => Object.keys(scheme)),
    )
    expect(new Set(used)).toEqual(new Set(Object.keys(document.components.securitySchemes)))
  })

  it('every operation states its access', () => {
    for (const [name, { access }] of all) {
      const found = operations.find(({ operation }) => operation.operationId === name)
      expect(found?.operation.description).toContain(ACCESS[access].who)
    }
  })

  it('every operation declares a successful response', () => {
    for (const { operation } of operations) {
      expect(Object.keys(operation.responses).some((status) => /^[23]/.test(status))).toBe(true)
    }
  })

  it('named resources are referenced instead of repeated', () => {
    const list = document.paths['/api/environments/{env_id}/flags']?.get?.responses['200']
    expect(list).toMatchObject({
      content: {
        'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/ListedFlag' } } },
      },
    })
    expect(document.components.schemas.WrittenFlag?.allOf?.[0]).toEqual({
      $ref: '#/components/schemas/ListedFlag',
    })
    expect(document.components.schemas.Flag?.properties?.rules?.items).toEqual({
      $ref: '#/components/schemas/TargetingRule',
    })
  })

  it('unions are written in short forms: names as an enum, nullable fields as two types', () => {
    const { CurrentUser, Flag } = document.components.schemas
    expect(CurrentUser?.properties?.role).toMatchObject({
      type: 'string',
      enum: ['admin', 'editor', 'viewer'],
    })
    expect(Flag?.properties?.rollout_percentage).toMatchObject({
      type: ['integer', 'null'],
      minimum: 0,
      maximum: 100,
    })
  })
})

describe('the errors of an operation', () => {
  const statusesOf = (definition: Partial<Endpoint>, method?: string) =>
    Object.keys(operationOf(definition, method).responses).map(Number)

  it('the errors of a body are: malformed, too large, another content type, invalid', () => {
    expect(statusesOf({ body: Type.Object({}) })).toEqual([200, 400, 401, 403, 404, 413, 415, 422, 429, 503])
    expect(statusesOf({})).toEqual([200, 401, 403, 404, 429, 503])
  })

  it('the errors of an access are: none if public, otherwise 429, and 403 unless every credential has it', () => {
    expect(statusesOf({ access: 'public' })).toEqual([200, 404, 503])
    expect(statusesOf({ access: 'read_snapshot', method: 'GET' }, 'get')).toEqual([200, 401, 404, 429, 503])
    expect(statusesOf({ access: 'any_credential', method: 'GET' }, 'get')).toContain(403)
  })

  it('the error of a missing X-Flagservice-Request is declared wherever a session may make a change', () => {
    const operation = operationOf({ access: 'any_credential' })
    expect(operation.responses['403']).toBeDefined()
    expect(operation.parameters).toContainEqual({ $ref: '#/components/parameters/CsrfHeader' })
    const reading = operationOf({ access: 'any_credential', method: 'GET' }, 'get')
    expect(reading.parameters).not.toContainEqual({ $ref: '#/components/parameters/CsrfHeader' })
  })

  it('the error of a query is: invalid', () => {
    expect(statusesOf({ method: 'GET', query: Type.Object({ limit: Type.Integer() }) }, 'get')).toContain(422)
  })

  it('the errors that an endpoint declares are included', () => {
    expect(statusesOf({ errors: [409] })).toContain(409)
  })

  it('the errors of an endpoint have its own descriptions', () => {
    const { responses } = operationOf({ errors: [409], refusals: { 409: 'The slug is taken' } })
    expect(responses['409']).toEqual({
      $ref: '#/components/responses/Conflict',
      description: 'The slug is taken',
    })
    expect(responses['404']).toEqual({ $ref: '#/components/responses/NotFound' })
  })

  it('a response that the endpoint declares for an error is unchanged', () => {
    const { responses } = operationOf({ responses: { 200: Type.String(), 503: Type.String() } })
    expect(responses['503']).toMatchObject({ description: 'Not ready' })
  })
})

describe('the headers of a response', () => {
  const ETAG = { ETag: { $ref: '#/components/headers/ETag' } }

  it('the headers of a response are those that the endpoint sends, and none on a change request', () => {
    const { responses } = operationOf({
      sends: ['ETag'],
      responses: { 200: Type.String(), 202: Type.String(), 304: null },
    })
    expect(responses['200']).toHaveProperty('headers', ETAG)
    expect(responses['304']).toHaveProperty('headers', ETAG)
    expect(responses['202']).not.toHaveProperty('headers')
  })
})

describe('an example', () => {
  const exampleOf = (schema: TSchema) => {
    const response = operationOf({ responses: { 200: schema } }).responses['200']
    return response && 'content' in response ? response.content?.['application/json']?.example : undefined
  }
  const name = Type.String({ examples: ['Ada', 'Grace'] })

  it("an example is the first of the schema's own", () => {
    expect(exampleOf(name)).toBe('Ada')
    expect(exampleOf(Type.Object({ name }, { examples: [{ name: 'Alan' }] }))).toEqual({ name: 'Alan' })
  })

  it('an example is built from the parts without one of the schema', () => {
    expect(exampleOf(Type.Array(name))).toEqual(['Ada', 'Grace'])
    expect(exampleOf(Type.Object({ name, age: Type.Optional(Type.Integer()) }))).toEqual({ name: 'Ada' })
    expect(
      exampleOf(Type.Intersect([Type.Object({ name }), Type.Object({ role: Type.Enum(['a', 'b']) })])),
    ).toEqual({
      name: 'Ada',
      role: 'a',
    })
    expect(exampleOf(Type.Union([Type.Null(), name]))).toBe('Ada')
  })

  it('an example is absent when a part has none', () => {
    expect(exampleOf(Type.Object({ name, age: Type.Integer() }))).toBeUndefined()
    expect(exampleOf(Type.Array(Type.Integer()))).toBeUndefined()
    expect(
      exampleOf(Type.Intersect([Type.Object({ name }), Type.Object({ age: Type.Integer() })])),
    ).toBeUndefined()
  })
})

describe('the body of an operation', () => {
  it('a body is required unless an empty one means {}', () => {
    expect(operationOf({ body: Type.Object({}) }).requestBody?.required).toBe(true)
    expect(operationOf({ body: Type.Object({}), bodyOptional: true }).requestBody?.required).toBe(false)
  })

  it('the body of a PATCH may have the content type of a merge patch', () => {
    const content =
      operationOf({ method: 'PATCH', body: Type.Object({}) }, 'patch').requestBody?.content ?? {}
    expect(Object.keys(content)).toEqual(['application/json', 'application/merge-patch+json'])
  })
})
