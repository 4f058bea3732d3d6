import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { endpoints, openApiDocument, type systemEndpoints } from '@burgee/contract'
import type { EndpointHandlers } from '../kernel/endpoint-handler.ts'
import { PAGE_STYLE } from './api-docs/page-style.ts'
import { renderApiDocs } from './api-docs/render-api-docs.ts'

/** `/api/openapi.json` and `/api/docs`: the contract as a machine and as a person reads it. Both are made once. */
export function apiDocsHandlers(): Pick<
  EndpointHandlers<typeof systemEndpoints>,
  'getOpenApi' | 'getApiDocs'
> {
  const document = openApiDocument(endpoints, { version: serverVersion() })
  const json = JSON.stringify(document)
  const page = renderApiDocs(document)
  const common = { 'cache-control': 'private, no-cache' }
  return {
    getOpenApi: async () => ({
      status: 200,
      bytes: json,
      headers: { ...common, 'content-type': 'application/json; charset=utf-8' },
    }),
    getApiDocs: async () => ({
      status: 200,
      bytes: page,
      headers: {
        ...common,
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': CONTENT_SECURITY_POLICY,
      },
    }),
  }
}

/** Nothing but the page itself and its one style. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(PAGE_STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

function serverVersion(): string {
  // The same path from `src/http` and from `dist/http`.
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const is_versioned = typeof manifest === 'object' && manifest !== null && 'version' in manifest
  return is_versioned ? String(manifest.version) : 'unknown'
}
