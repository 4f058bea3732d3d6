import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'

const EXAMPLE_METRICS = [
  '# TYPE process_resident_memory_bytes gauge',
  'process_resident_memory_bytes 84283392',
  '',
].join('\n')

const EXAMPLE_DOCUMENT = { openapi: '3.1.0', info: { title: 'Burgee', version: '0.1.0' }, paths: {} }

const EXAMPLE_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Burgee flags as code',
}

export const systemEndpoints = {
  getHealth: endpoint({
    method: 'GET',
    path: '/health',
    summary: 'Liveness',
    description: 'The process responds. It does not check the database; see /ready.',
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
      '200 once migrations are done, the database responds and the server is not shutting down; otherwise 503.',
    tag: 'System',
    access: 'public',
    responses: { 200: Type.String({ examples: ['OK'] }), 503: Type.String({ examples: ['NOT READY'] }) },
    produces: 'text/plain',
  }),
  getMetrics: endpoint({
    method: 'GET',
    path: '/metrics',
    summary: 'Measurements in the Prometheus text format',
    description: 'For the bearer of `METRICS_TOKEN`; 404 while that is unset.',
    tag: 'System',
    access: 'metrics_token',
    responses: { 200: Type.String({ examples: [EXAMPLE_METRICS] }) },
    errors: [404],
    produces: 'text/plain',
    refusals: {
      404: 'METRICS_TOKEN is not set',
    },
  }),
  getOpenApi: endpoint({
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'This description',
    description: 'As an OpenAPI 3.1 document.',
    tag: 'System',
    access: 'any_credential',
    responses: { 200: Type.Object({}, { additionalProperties: true, examples: [EXAMPLE_DOCUMENT] }) },
  }),
  getApiDocs: endpoint({
    method: 'GET',
    path: '/api/docs',
    summary: 'This description as a page',
    description: 'Plain HTML that loads nothing else.',
    tag: 'System',
    access: 'any_credential',
    responses: { 200: Type.String({ examples: ['<!doctype html><title>Burgee API</title>'] }) },
    produces: 'text/html',
  }),
  getApplySchema: endpoint({
    method: 'GET',
    path: '/api/schemas/apply.json',
    summary: 'The JSON Schema of the files of `burgee apply`',
    description: 'For editors, which fetch it without a credential. Draft 2020-12.',
    tag: 'System',
    access: 'public',
    responses: { 200: Type.Object({}, { additionalProperties: true, examples: [EXAMPLE_SCHEMA] }) },
  }),
} as const
