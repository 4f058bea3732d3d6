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

describe('an endpoint', () => {
  it('is mounted when it says who may call it', () => {
    const app = fastify()
    mountEndpoint(app, deps, declared, handler)
    expect(app.hasRoute({ method: 'GET', url: declared.path })).toBe(true)
  })

  it.each([undefined, null, '', 'everybody', 'Workspace_Admin', 'constructor', '__proto__'])(
    'cannot be mounted when its access is %s',
    (access) => {
      const app = fastify()
      const undeclared = { ...declared, access } as typeof declared
      expect(() => mountEndpoint(app, deps, undeclared, handler)).toThrow('cannot be mounted')
      expect(app.hasRoute({ method: 'GET', url: declared.path })).toBe(false)
    },
  )

  it('cannot be mounted when it has no access at all', () => {
    const { access: _, ...undeclared } = declared
    const app = fastify()
    expect(() => mountEndpoint(app, deps, undeclared as typeof declared, handler)).toThrow(
      'cannot be mounted',
    )
  })
})
