import type { TObject, TSchema } from 'typebox'
import { ACCESS } from './access.ts'
import type { Endpoint } from './endpoint.ts'
import type {
  Content,
  OpenApiDocument,
  Operation,
  Parameter,
  Reference,
  ResponseObject,
} from './open-api/document.ts'
import { ERROR_RESPONSES, errorReference, errorStatuses } from './open-api/error-responses.ts'
import { NAMED_SCHEMAS } from './open-api/named-schemas.ts'
import { SECURITY_OF, SECURITY_SCHEMES } from './open-api/security.ts'
import { toDefinition, toJsonSchema } from './open-api/to-json-schema.ts'

const CSRF_PARAMETER = 'CsrfHeader'

/** The HTTP API as an OpenAPI 3.1 document, made from the contract's endpoints, whose names are the operation ids. */
export function openApiDocument(
  endpoints: Readonly<Record<string, Endpoint>>,
  { version }: { readonly version: string },
): OpenApiDocument {
  const all = Object.entries(endpoints)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Burgee',
      version,
      description:
        'Self-hosted feature flags. Every error body is `{error}`, with `details` where input does not fit.',
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(all.map(([, { tag }]) => tag))].map((name) => ({ name })),
    paths: toPaths(all),
    components: {
      schemas: Object.fromEntries(
        Object.entries(NAMED_SCHEMAS).map(([name, schema]) => [name, toDefinition(schema)]),
      ),
      responses: ERROR_RESPONSES,
      parameters: {
        [CSRF_PARAMETER]: {
          name: 'X-Flagservice-Request',
          in: 'header',
          required: false,
          description: 'Required beside the session cookie; not with a bearer',
          schema: { type: 'string', const: 'true' },
        },
      },
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}

function toPaths(all: readonly [string, Endpoint][]): Record<string, Record<string, Operation>> {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const [name, endpoint] of all) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: toOperation(name, endpoint) }
  }
  return paths
}

function toOperation(operationId: string, endpoint: Endpoint): Operation {
  const { access, body, description, summary, tag } = endpoint
  const who = `Who may call it: ${ACCESS[access]}.`
  return {
    operationId,
    tags: [tag],
    summary,
    description: description === undefined ? who : `${description}\n\n${who}`,
    security: SECURITY_OF[access].map((scheme) => ({ [scheme]: [] })),
    parameters: toParameters(endpoint),
    ...(body && {
      requestBody: { required: !endpoint.body_optional, content: toBodyContent(endpoint, body) },
    }),
    responses: { ...toResponses(endpoint), ...toErrors(endpoint) },
  }
}

function toParameters({ access, headers, method, params, query }: Endpoint): (Parameter | Reference)[] {
  const csrf = method !== 'GET' && SECURITY_OF[access].includes('session')
  return [
    ...listParameters('path', params),
    ...listParameters('query', query),
    ...listParameters('header', headers),
    ...(csrf ? [{ $ref: `#/components/parameters/${CSRF_PARAMETER}` }] : []),
  ]
}

function listParameters(place: Parameter['in'], object: TObject | undefined): Parameter[] {
  if (!object) return []
  const required: readonly string[] = object.required ?? []
  return Object.entries<TSchema>(object.properties).map(([name, property]) => {
    const { description, ...schema } = toJsonSchema(property)
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description !== undefined && { description }),
      schema,
    }
  })
}

function toBodyContent({ method }: Endpoint, body: TSchema): Content {
  const schema = toJsonSchema(body)
  return {
    'application/json': { schema },
    ...(method === 'PATCH' && { 'application/merge-patch+json': { schema } }),
  }
}

const STATUS_MEANING: Readonly<Record<string, string>> = {
  200: 'Success',
  202: 'Accepted: queued for approval',
  204: 'Success, without a body',
  304: 'Not modified',
  503: 'Not ready',
}

function toResponses({ produces, responses }: Endpoint): Record<string, ResponseObject> {
  return Object.fromEntries(
    Object.entries(responses).map(([status, schema]) => [
      status,
      {
        description: STATUS_MEANING[status] ?? `Status ${status}`,
        ...(schema && { content: { [produces ?? 'application/json']: { schema: toJsonSchema(schema) } } }),
      },
    ]),
  )
}

function toErrors(endpoint: Endpoint): Record<string, Reference> {
  const undeclared = errorStatuses(endpoint).filter((status) => !(status in endpoint.responses))
  return Object.fromEntries(undeclared.map((status) => [status, errorReference(status)]))
}
