import { PAGE_MAX } from './limits.ts'
import { listResponse } from './list-query.ts'
import { GROUP_SCHEMA, USER_SCHEMA } from './schema-uris.ts'
import { noResource } from './scim-refused.ts'

const CONFIG_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'
const TYPE_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType'
const SCHEMA_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema'

/** Describes what the interface can do (RFC 7643, section 5). */
export const serviceProviderConfig = (baseUrl: string) => ({
  schemas: [CONFIG_SCHEMA],
  documentationUri: 'https://github.com/burgee/burgee/blob/main/docs/scim.md',
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: PAGE_MAX },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Token of SCIM',
      description: 'The token that a workspace admin creates in the dashboard, as a bearer',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${baseUrl}/ServiceProviderConfig` },
})

const TYPES = [
  { id: 'User', endpoint: '/Users', description: 'An account', schema: USER_SCHEMA },
  { id: 'Group', endpoint: '/Groups', description: 'A group that gives roles', schema: GROUP_SCHEMA },
]

const resourceTypesOf = (baseUrl: string) =>
  TYPES.map((type) => ({
    schemas: [TYPE_SCHEMA],
    name: type.id,
    ...type,
    meta: { resourceType: 'ResourceType', location: `${baseUrl}/ResourceTypes/${type.id}` },
  }))

/** Returns the types of resources, or one of them. */
export function resourceTypes(baseUrl: string, id: string | undefined): object {
  const types = resourceTypesOf(baseUrl)
  return id === undefined ? listOf(types) : one(types, 'resource type', id)
}

interface Shape {
  readonly multiValued?: boolean
  readonly required?: boolean
  readonly caseExact?: boolean
  readonly mutability?: 'readOnly' | 'readWrite' | 'immutable'
  readonly uniqueness?: 'none' | 'server'
  readonly subAttributes?: readonly object[]
}

function attribute(name: string, type: string, description: string, shape: Shape = {}): object {
  const { caseExact = false, multiValued = false, mutability = 'readWrite', required = false } = shape
  const { subAttributes, uniqueness = 'none' } = shape
  return {
    ...{ name, type, description, multiValued, required, mutability, returned: 'default' },
    ...(type === 'string' && { caseExact, uniqueness }),
    ...(subAttributes && { subAttributes }),
  }
}

const text = (name: string, description: string, shape?: Shape) =>
  attribute(name, 'string', description, shape)

const EXTERNAL_ID = text('externalId', 'The id at the identity provider', {
  caseExact: true,
  uniqueness: 'server',
})

const USER_ATTRIBUTES = [
  text('userName', 'The name at the identity provider', { required: true, uniqueness: 'server' }),
  EXTERNAL_ID,
  text('displayName', 'The name that Burgee shows'),
  attribute('name', 'complex', 'The parts of the name', {
    subAttributes: [
      text('formatted', 'The whole name'),
      text('familyName', 'The family name'),
      text('givenName', 'The given name'),
      text('middleName', 'The middle name'),
      text('honorificPrefix', 'A title'),
      text('honorificSuffix', 'A suffix'),
    ],
  }),
  attribute('active', 'boolean', 'False disables the account'),
  attribute('emails', 'complex', 'The primary one, or the one for work, is the address of the account', {
    multiValued: true,
    subAttributes: [
      text('value', 'The address'),
      text('type', 'Its kind, such as work'),
      attribute('primary', 'boolean', 'Whether it is the primary one'),
    ],
  }),
]

const GROUP_ATTRIBUTES = [
  text('displayName', 'The name, as the table of groups has it', { required: true, uniqueness: 'server' }),
  EXTERNAL_ID,
  attribute('members', 'complex', 'The users in the group', {
    multiValued: true,
    subAttributes: [
      text('value', 'The id of a user', { caseExact: true, mutability: 'immutable' }),
      text('display', 'The name of the user', { mutability: 'readOnly' }),
    ],
  }),
]

const schemasOf = (baseUrl: string) =>
  [
    { id: USER_SCHEMA, name: 'User', description: 'An account', attributes: USER_ATTRIBUTES },
    {
      id: GROUP_SCHEMA,
      name: 'Group',
      description: 'A group that gives roles',
      attributes: GROUP_ATTRIBUTES,
    },
  ].map((schema) => ({
    schemas: [SCHEMA_SCHEMA],
    ...schema,
    meta: { resourceType: 'Schema', location: `${baseUrl}/Schemas/${schema.id}` },
  }))

/** Returns the schemas of the resources, or one of them. */
export function schemas(baseUrl: string, id: string | undefined): object {
  const all = schemasOf(baseUrl)
  return id === undefined ? listOf(all) : one(all, 'schema', id)
}

const listOf = (resources: readonly object[]) =>
  listResponse(resources, { offset: 0, total: resources.length })

function one(resources: readonly { readonly id: string }[], what: string, id: string): object {
  const found = resources.find((resource) => resource.id.toLowerCase() === id.toLowerCase())
  if (!found) throw noResource(what, id)
  return found
}
