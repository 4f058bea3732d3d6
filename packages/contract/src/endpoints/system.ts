import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'

export const systemEndpoints = {
  getHealth: endpoint({
    method: 'GET',
    path: '/health',
    summary: 'Liveness',
    description: 'The process answers. Says nothing of the database: see /ready.',
    tag: 'System',
    access: 'public',
    responses: { 200: Type.String({ examples: ['OK'] }) },
    produces: 'text/plain',
  }),
  getReadiness: endpoint({
    method: 'GET',
    path: '/ready',
    summary: 'Readiness',
    description:
      '200 once migrations are done, the database answers and the server is not shutting down; else 503.',
    tag: 'System',
    access: 'public',
    responses: { 200: Type.String(), 503: Type.String() },
    produces: 'text/plain',
  }),
  getOpenApi: endpoint({
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'This description',
    tag: 'System',
    access: 'any_credential',
    responses: { 200: Type.Object({}, { additionalProperties: true }) },
  }),
  getApiDocs: endpoint({
    method: 'GET',
    path: '/api/docs',
    summary: 'This description as a page',
    tag: 'System',
    access: 'any_credential',
    responses: { 200: Type.String() },
    produces: 'text/html',
  }),
} as const
