import type { TObject, TSchema } from 'typebox'
import { ACCESS, type Access, PERMISSIONS } from './access.ts'
import type { Endpoint } from './endpoint.ts'
import { OVERRIDE_REASON_MAX_LENGTH } from './limits.ts'
import type {
  Content,
  OpenApiDocument,
  Operation,
  Parameter,
  Reference,
  ResponseObject,
} from './open-api/document.ts'
import { ERROR_RESPONSES, errorReference, errorStatuses } from './open-api/error-responses.ts'
import { exampleOf } from './open-api/example-of.ts'
import { NAMED_SCHEMAS } from './open-api/named-schemas.ts'
import { headerReferences, REPLY_HEADERS } from './open-api/reply-headers.ts'
import { SECURITY_SCHEMES, securityOf } from './open-api/security.ts'
import { TAGS } from './open-api/tags.ts'
import { toDefinition, toJsonSchema } from './open-api/to-json-schema.ts'

const CSRF_PARAMETER = 'CsrfHeader'
const OVERRIDE_PARAMETER = 'OverrideHeader'

/** Overrides the invariants that a write violates (docs/trust.md#invariants). */
export const OVERRIDE_HEADER = 'X-Override-Invariants'

/** The accesses of writes that invariants may refuse. */
const REFUSED_BY_INVARIANTS: readonly Access[] = ['write_flags', 'write_segments', 'review_changes']

const DESCRIPTION =
  'Self-hosted feature flags. Every error body is `{error}`, with `details` for invalid input. ' +
  'Timestamps are ISO 8601 in UTC. Unknown fields of writes are ignored. ' +
  'Every response has an `X-Request-Id`, which is also in the log.'

interface DocumentOptions {
  readonly version: string
  /** The path below which the server is; empty at the root. */
  readonly basePath?: string
}

/**
 * Builds the OpenAPI 3.1 document of the HTTP API from the endpoints of the contract, whose names are the
 * operation ids.
 */
export function openApiDocument(
  endpoints: Readonly<Record<string, Endpoint>>,
  options: DocumentOptions,
): OpenApiDocument {
  const steps = openApiInSteps(endpoints, options)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Builds the same, and yields after each endpoint and schema. */
export function* openApiInSteps(
  endpoints: Readonly<Record<string, Endpoint>>,
  { basePath = '', version }: DocumentOptions,
): Generator<void, OpenApiDocument> {
  const all = Object.entries(endpoints)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Burgee',
      version,
      description: DESCRIPTION,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: basePath || '/' }],
    tags: toTags(all),
    paths: yield* toPaths(all),
    components: {
      schemas: yield* toSchemas(),
      responses: ERROR_RESPONSES,
      headers: REPLY_HEADERS,
      parameters: {
        [CSRF_PARAMETER]: {
          name: 'X-Flagservice-Request',
          in: 'header',
          required: false,
          description: 'Required with the session cookie, not with a bearer',
          schema: { type: 'string', const: 'true' },
        },
        [OVERRIDE_PARAMETER]: {
          name: OVERRIDE_HEADER,
          in: 'header',
          required: false,
          description:
            'Why the write may violate invariants, percent-encoded; for admins of the project, and where every change needs approval for admins of the workspace',
          schema: { type: 'string', minLength: 1, maxLength: OVERRIDE_REASON_MAX_LENGTH },
        },
      },
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}

/** The tags in use: those of the list first, in its order. */
function toTags(all: readonly [string, Endpoint][]): OpenApiDocument['tags'] {
  const used = new Set(all.map(([, { tag }]) => tag))
  const listed = Object.entries(TAGS).flatMap(([name, description]) =>
    used.has(name) ? [{ name, description }] : [],
  )
  return [...listed, ...[...used].filter((name) => !(name in TAGS)).map((name) => ({ name }))]
}

function* toSchemas(): Generator<void, OpenApiDocument['components']['schemas']> {
  const schemas: [string, ReturnType<typeof toDefinition>][] = []
  for (const [name, schema] of Object.entries(NAMED_SCHEMAS)) {
    yield
    schemas.push([name, toDefinition(schema)])
  }
  return Object.fromEntries(schemas)
}

function* toPaths(
  all: readonly [string, Endpoint][],
): Generator<void, Record<string, Record<string, Operation>>> {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const [name, endpoint] of all) {
    yield
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: toOperation(name, endpoint) }
  }
  return paths
}

function toOperation(operationId: string, endpoint: Endpoint): Operation {
  const { access, body, description, summary, tag } = endpoint
  const who = `Access: ${ACCESS[access].who}.${describePermission(endpoint)}${describeRecentLogin(endpoint)}`
  return {
    operationId,
    tags: [tag],
    summary,
    description: description === undefined ? who : `${description}\n\n${who}`,
    security: securityOf(access).map((scheme) => ({ [scheme]: [] })),
    parameters: toParameters(endpoint),
    ...(body && {
      requestBody: { required: !endpoint.bodyOptional, content: toBodyContent(endpoint, body) },
    }),
    responses: { ...toResponses(endpoint), ...toErrors(endpoint) },
  }
}

/** Names the permission of custom roles that is needed (docs/reference/access.md#permissions). */
function describePermission({ access, accessInProject }: Endpoint): string {
  if (accessInProject !== undefined)
    return ` With \`project_id\`, the permission \`${accessInProject}\` in that project is enough.`
  return PERMISSIONS.some((name) => name === access) ? ` Permission: \`${access}\`.` : ''
}

function describeRecentLogin({ needsRecentLogin }: Endpoint): string {
  if (needsRecentLogin === undefined) return ''
  const fields =
    needsRecentLogin === true ? '' : ` for ${needsRecentLogin.map((one) => `\`${one}\``).join(', ')}`
  return ` A session needs a login within the last 10 minutes${fields}: otherwise 403 with the reason \`reauthentication_required\`.`
}

function toParameters({ access, headers, method, params, query }: Endpoint): (Parameter | Reference)[] {
  const csrf = method !== 'GET' && securityOf(access).includes('session')
  return [
    ...listParameters('path', params),
    ...listParameters('query', query),
    ...listParameters('header', headers),
    ...(method !== 'GET' && REFUSED_BY_INVARIANTS.includes(access)
      ? [{ $ref: `#/components/parameters/${OVERRIDE_PARAMETER}` }]
      : []),
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

function toBodyContent({ acceptsForm, method }: Endpoint, body: TSchema): Content {
  const content = withExample(body)
  return {
    'application/json': content,
    ...(acceptsForm && { 'application/x-www-form-urlencoded': content }),
    ...(method === 'PATCH' && { 'application/merge-patch+json': content }),
  }
}

function withExample(schema: TSchema): Content[string] {
  const example = exampleOf(schema)
  return { schema: toJsonSchema(schema), ...(example !== undefined && { example }) }
}

const STATUS_MEANING: Readonly<Record<string, string>> = {
  200: 'Success',
  202: 'Accepted: queued for approval',
  204: 'Success, without a body',
  303: 'A redirect',
  304: 'Not modified',
  503: 'Not ready',
}

/** A 202 response contains a change request, not the addressed resource, so it has none of its headers. */
const SENDING_STATUSES = ['200', '204', '303', '304']

function toResponses({ produces, responses, sends = [] }: Endpoint): Record<string, ResponseObject> {
  return Object.fromEntries(
    Object.entries(responses).map(([status, schema]) => [
      status,
      {
        description: STATUS_MEANING[status] ?? `Status ${status}`,
        ...(sends.length > 0 && SENDING_STATUSES.includes(status) && { headers: headerReferences(sends) }),
        ...(schema && { content: { [produces ?? 'application/json']: withExample(schema) } }),
      },
    ]),
  )
}

function toErrors(endpoint: Endpoint): Record<string, Reference | ResponseObject> {
  const undeclared = errorStatuses(endpoint).filter((status) => !(status in endpoint.responses))
  return Object.fromEntries(undeclared.map((status) => [status, errorReference(status, endpoint)]))
}
