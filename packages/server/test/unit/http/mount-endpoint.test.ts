import { endpoint } from '@burgee/contract'
import { fastify } from 'fastify'
import { describe, expect, it } from 'vitest'
import { mountEndpoint } from '../../../src/http/mount-endpoint.ts'

/** Mounting uses none of them; only requests would. */
const deps = {} as Parameters<typeof mountEndpoint>[1]

const declared = endpoint({
  method: 'GET',
  path: '/api/treasure',
  summary: 'The treasure',
  tag: 'Treasure',
  access: 'workspace_admin',
  responses: { 204: null },
})
const handler = async () => ({ status: 204, body: null }) as const

describe('mounting an endpoint', () => {
  it('an endpoint with an access is mounted', () => {
    const app = fastify()
    mountEndpoint(app, deps, declared, handler)
    expect(app.hasRoute({ method: 'GET', url: declared.path })).toBe(true)
  })

  it.each([undefined, null, '', 'everybody', 'Workspace_Admin', 'constructor', '__proto__'])(
    'an endpoint is not mounted when its access is %s',
    (access) => {
      const app = fastify()
      const undeclared = { ...declared, access } as typeof declared
      expect(() => mountEndpoint(app, deps, undeclared, handler)).toThrow('cannot be mounted')
      expect(app.hasRoute({ method: 'GET', url: declared.path })).toBe(false)
    },
  )

  it('an endpoint is not mounted without an access', () => {
    const { access: _, ...undeclared } = declared
    const app = fastify()
    expect(() => mountEndpoint(app, deps, undeclared as typeof declared, handler)).toThrow(
      'cannot be mounted',
    )
  })
})
