import { createHash } from 'node:crypto'
import { endpoints, type OpenApiDocument, openApiDocument } from '@burgee/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formatsPlugin from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { curlExample } from '../../../../src/http/api-docs/curl-example.ts'
import { renderApiDocs } from '../../../../src/http/api-docs/render-api-docs.ts'
import { apiDocsHandlers } from '../../../../src/http/responses/api-docs.ts'
import type { EncodedReply } from '../../../../src/platform/replies/endpoint-handler.ts'
import { finish } from '../../../harness/finish.ts'

const document = openApiDocument(endpoints, { version: '1.2.3' })
const page = finish(renderApiDocs(document))
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

describe('JSON Schemas of the OpenAPI document', () => {
  const ajv = new Ajv2020({ strict: false })
  formatsPlugin.default(ajv, ['date-time', 'uuid'])
  ajv.addSchema(document, 'openapi')

  it.each(Object.keys(document.components.schemas))('the schema %s is valid JSON Schema 2020-12', (name) => {
    expect(ajv.validateSchema(document.components.schemas[name] ?? false), ajv.errorsText()).toBe(true)
  })
})

describe('the page of the API', () => {
  it('the API page shows every operation with its method, path, summary and access', () => {
    for (const { method, operation, path } of operations) {
      const shown = page.slice(page.indexOf(`id="${operation.operationId}"`)).split('</details>')[0]
      expect(shown).toContain(`>${method.toUpperCase()}</span> <code>${path}</code>`)
      expect(shown).toContain('Access:')
      expect(shown).toContain('<pre>curl ')
    }
  })

  it('the API page shows every schema once, and has no broken links', () => {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const name of Object.keys(document.components.schemas)) expect(ids).toContain(`schema-${name}`)
    for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target)
  })

  it('the API page shows the fields of a body with their types and limits', () => {
    const shown = page.slice(page.indexOf('id="schema-SdkKeyInput"')).split('</details>')[0]
    expect(shown).toContain('<code>environment_id</code>')
    expect(shown).toContain('format uuid')
    expect(shown).toContain('length 1 to 1000')
    expect(shown).toContain('&quot;server&quot; | &quot;reader&quot; | &quot;client&quot;')
  })

  it('the API page shows an example of the usual response, the meaning of errors, and the headers', () => {
    const shown = page.slice(page.indexOf('id="putFlag"')).split('</details>')[0]
    expect(shown).toContain('&quot;key&quot;: &quot;new-checkout&quot;')
    expect(shown).toContain('a value does not match the type')
    expect(shown).toContain('<code>ETag</code>')
  })

  it('the API page has no scripts and no external requests', () => {
    // Addresses in examples are text: only what a browser would load or run counts.
    const elements = [...page.matchAll(/<([a-z][a-z0-9]*)((?:\s+[^\s=>]+(?:="[^"]*")?)*)\s*>/gi)]
    // Every element is read: a browser sees no others.
    expect(elements).toHaveLength(page.match(/<[a-z]/gi)?.length ?? 0)
    const attributes = elements.flatMap(([, , given = '']) => [
      ...given.matchAll(/([^\s=]+)(?:="([^"]*)")?/g),
    ])
    const names = new Set(attributes.map(([, name = '']) => name.toLowerCase()))
    expect([...names].sort()).toEqual(['charset', 'class', 'content', 'href', 'id', 'lang', 'name', 'title'])
    for (const [, name, value] of attributes) {
      if (name === 'href') expect(value).toMatch(/^(#[\w-]+|openapi\.json)$/)
    }
    const loading = /^(script|link|img|image|iframe|frame|object|embed|audio|video|source|base|form|svg)$/i
    expect(elements.map(([, name = '']) => name).filter((name) => loading.test(name))).toEqual([])
    expect(/<style>([\s\S]*?)<\/style>/.exec(page)?.[1]).not.toMatch(/@import|url\(/i)
  })

  it('the API page closes every element', () => {
    for (const name of [
      'details',
      'summary',
      'section',
      'table',
      'tr',
      'td',
      'div',
      'p',
      'pre',
      'code',
      'span',
    ]) {
      const opened = page.match(new RegExp(`<${name}[ >]`, 'g'))?.length ?? 0
      expect(page.match(new RegExp(`</${name}>`, 'g'))?.length ?? 0, name).toBe(opened)
    }
  })

  it('the API page escapes its texts', () => {
    const hostile: OpenApiDocument = {
      ...document,
      info: { ...document.info, title: `<script>alert("'&")</script>` },
    }
    const rendered = finish(renderApiDocs(hostile))
    expect(rendered).toContain('&lt;script&gt;alert(&quot;&#39;&amp;&quot;)&lt;/script&gt;')
    expect(rendered).not.toContain('<script')
  })
})

describe('the curl examples of the API page', () => {
  const exampleOf = (id: string) => {
    const found = operations.find(({ operation }) => operation.operationId === id)
    return found ? curlExample(found) : ''
  }

  it('a curl example calls the operation with a valid credential and a body', () => {
    expect(exampleOf('listProjects')).toBe(
      'curl "$BURGEE_URL/api/projects" \\\n  -H "Authorization: Bearer $BURGEE_TOKEN"',
    )
    expect(exampleOf('createProject')).toBe(
      [
        'curl "$BURGEE_URL/api/projects"',
        '-H "Authorization: Bearer $BURGEE_TOKEN"',
        "-H 'Content-Type: application/json'",
        `-d '{"name":"Web shop"}'`,
      ].join(' \\\n  '),
    )
  })

  it('a curl example has variables for the parameters of the path', () => {
    expect(exampleOf('revokeSdkKey')).toContain(
      'curl -X DELETE "$BURGEE_URL/api/projects/$PROJECT_ID/keys/$ID"',
    )
  })

  it('a curl example has no credential for public operations, and an SDK key where only that is allowed', () => {
    expect(exampleOf('getHealth')).toBe('curl "$BURGEE_URL/health"')
    expect(exampleOf('getSnapshot')).toContain('Bearer $SDK_KEY')
    expect(exampleOf('openStream')).toContain('curl -N ')
  })
})

describe('the responses of the API page', () => {
  it('the policy of the API page allows only its own style', async () => {
    const handlers = apiDocsHandlers({ publicUrl: null })
    const { bytes, headers } = (await handlers.getApiDocs({} as never)) as EncodedReply
    const style = /<style>([\s\S]*)<\/style>/.exec(bytes.toString())?.[1] ?? ''
    const hash = createHash('sha256').update(style).digest('base64')
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
  })

  it('the OpenAPI document is served as JSON', async () => {
    const { bytes, headers } = (await apiDocsHandlers({ publicUrl: null }).getOpenApi(
      {} as never,
    )) as EncodedReply
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(JSON.parse(bytes.toString())).toMatchObject({ openapi: '3.1.0', paths: document.paths })
  })
})
