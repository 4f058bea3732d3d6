import { createHash } from 'node:crypto'
import { endpoints, type OpenApiDocument, openApiDocument } from '@burgee/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formatsPlugin from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { curlExample } from '../../../src/http/api-docs/curl-example.ts'
import { renderApiDocs } from '../../../src/http/api-docs/render-api-docs.ts'
import { apiDocsHandlers } from '../../../src/http/api-docs.ts'
import type { EncodedReply } from '../../../src/kernel/endpoint-handler.ts'

const document = openApiDocument(endpoints, { version: '1.2.3' })
const page = renderApiDocs(document)
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

describe('the schemas of the OpenAPI document', () => {
  const ajv = new Ajv2020({ strict: false })
  formatsPlugin.default(ajv, ['date-time', 'uuid'])
  ajv.addSchema(document, 'openapi')

  it.each(Object.keys(document.components.schemas))('%s is valid JSON Schema 2020-12', (name) => {
    expect(ajv.validateSchema(document.components.schemas[name] ?? false), ajv.errorsText()).toBe(true)
  })
})

describe('the page', () => {
  it('shows every operation with its method, path, summary and who may call it', () => {
    for (const { method, operation, path } of operations) {
      const shown = page.slice(page.indexOf(`id="${operation.operationId}"`)).split('</details>')[0]
      expect(shown).toContain(`>${method.toUpperCase()}</span> <code>${path}</code>`)
      expect(shown).toContain('Who may call it:')
      expect(shown).toContain('<pre>curl ')
    }
  })

  it('shows every schema once, and links only to what is there', () => {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const name of Object.keys(document.components.schemas)) expect(ids).toContain(`schema-${name}`)
    for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target)
  })

  it('shows the fields of a body with their types and limits', () => {
    const shown = page.slice(page.indexOf('id="schema-SdkKeyInput"')).split('</details>')[0]
    expect(shown).toContain('<code>environment_id</code>')
    expect(shown).toContain('format uuid')
    expect(shown).toContain('length 1 to 1000')
    expect(shown).toContain('&quot;server&quot; | &quot;reader&quot; | &quot;client&quot;')
  })

  it('shows an example of the usual answer, what an error means here, and the headers', () => {
    const shown = page.slice(page.indexOf('id="putFlag"')).split('</details>')[0]
    expect(shown).toContain('&quot;key&quot;: &quot;new-checkout&quot;')
    expect(shown).toContain('a value does not fit the type')
    expect(shown).toContain('<code>ETag</code>')
  })

  it('has no script and asks nothing of anybody else', () => {
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
      if (name === 'href') expect(value).toMatch(/^(#[\w-]+|\/api\/openapi\.json)$/)
    }
    const loading = /^(script|link|img|image|iframe|frame|object|embed|audio|video|source|base|form|svg)$/i
    expect(elements.map(([, name = '']) => name).filter((name) => loading.test(name))).toEqual([])
    expect(/<style>([\s\S]*?)<\/style>/.exec(page)?.[1]).not.toMatch(/@import|url\(/i)
  })

  it('closes every element that it opens', () => {
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

  it('escapes what it is given', () => {
    const hostile: OpenApiDocument = {
      ...document,
      info: { ...document.info, title: `<script>alert("'&")</script>` },
    }
    const rendered = renderApiDocs(hostile)
    expect(rendered).toContain('&lt;script&gt;alert(&quot;&#39;&amp;&quot;)&lt;/script&gt;')
    expect(rendered).not.toContain('<script')
  })
})

describe('an example', () => {
  const exampleOf = (id: string) => {
    const found = operations.find(({ operation }) => operation.operationId === id)
    return found ? curlExample(found) : ''
  }

  it('calls the operation with a credential that it takes, and a body', () => {
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

  it('names the parameters of the path as variables', () => {
    expect(exampleOf('revokeSdkKey')).toContain(
      'curl -X DELETE "$BURGEE_URL/api/projects/$PROJECT_ID/keys/$ID"',
    )
  })

  it('sends none where none is needed, and an SDK key where only that will do', () => {
    expect(exampleOf('getHealth')).toBe('curl "$BURGEE_URL/health"')
    expect(exampleOf('getSnapshot')).toContain('Bearer $SDK_KEY')
    expect(exampleOf('openStream')).toContain('curl -N ')
  })
})

describe('the answers', () => {
  it('allow the page its own style and nothing else', async () => {
    const handlers = apiDocsHandlers()
    const { bytes, headers } = (await handlers.getApiDocs({} as never)) as EncodedReply
    const style = /<style>([\s\S]*)<\/style>/.exec(bytes.toString())?.[1] ?? ''
    const hash = createHash('sha256').update(style).digest('base64')
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
  })

  it('give the document as JSON', async () => {
    const { bytes, headers } = (await apiDocsHandlers().getOpenApi({} as never)) as EncodedReply
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(JSON.parse(bytes.toString())).toMatchObject({ openapi: '3.1.0', paths: document.paths })
  })
})
