import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { applyFileSchema, endpoints, openApiInSteps, type systemEndpoints } from '@burgee/contract'
import { basePathOf } from '../../kernel/base-path.ts'
import { inTurns, shareTurn } from '../../platform/concurrency/turns.ts'
import { packageFile } from '../../platform/package-file.ts'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import { PAGE_STYLE } from '../api-docs/page-style.ts'
import { renderApiDocs } from '../api-docs/render-api-docs.ts'

/**
 * Handles `/api/openapi.json` and `/api/docs`, the contract for machines and for people, and
 * `/api/schemas/apply.json`. Each is built once.
 */
export function apiDocsHandlers({
  publicUrl,
}: {
  readonly publicUrl: string | null
}): Pick<EndpointHandlers<typeof systemEndpoints>, 'getOpenApi' | 'getApiDocs' | 'getApplySchema'> {
  const made = once(async () => {
    const options = { basePath: basePathOf(publicUrl), version: serverVersion() }
    const document = await inTurns(inGroups(openApiInSteps(endpoints, options)))
    const page = await inTurns(inGroups(renderApiDocs(document)))
    await shareTurn()
    return { json: JSON.stringify(document), page }
  })
  const applySchema = once(() => JSON.stringify(applyFileSchema()))
  const common = { 'cache-control': 'private, no-cache' }
  return {
    getOpenApi: async () => ({
      status: 200,
      bytes: (await made()).json,
      headers: { ...common, 'content-type': 'application/json; charset=utf-8' },
    }),
    getApplySchema: async () => ({
      status: 200,
      bytes: applySchema(),
      headers: {
        'cache-control': 'public, max-age=3600',
        'content-type': 'application/json; charset=utf-8',
      },
    }),
    getApiDocs: async () => ({
      status: 200,
      bytes: (await made()).page,
      headers: {
        ...common,
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': CONTENT_SECURITY_POLICY,
      },
    }),
  }
}

/** The steps of a turn, each some 0.3 ms: beside other work, every step would take a whole turn. */
const STEPS_PER_TURN = 16

/** Yields after a group of steps in place of each. */
function* inGroups<Result>(steps: Generator<void, Result>): Generator<void, Result> {
  for (let count = 1; ; count += 1) {
    const step = steps.next()
    if (step.done) return step.value
    if (count % STEPS_PER_TURN === 0) yield
  }
}

/** Builds a value on first use, which most servers never reach. */
function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** The policy of the page: only itself and its one style. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(PAGE_STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

function serverVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'))
  const isVersioned = typeof manifest === 'object' && manifest !== null && 'version' in manifest
  return isVersioned ? String(manifest.version) : 'unknown'
}
