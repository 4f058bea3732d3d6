import type { OpenApiDocument } from '@burgee/contract'
import type { DocumentedOperation } from './curl-example.ts'
import { type Html, html } from './html.ts'
import { PAGE_STYLE } from './page-style.ts'
import { renderOperation } from './render-operation.ts'
import { renderFields } from './render-schema.ts'

/**
 * Renders the description of the API as one page of plain HTML, without scripts and external requests. Yields
 * before each part of the page.
 */
export function* renderApiDocs(document: OpenApiDocument): Generator<void, string> {
  const { info, tags } = document
  const operations = listOperations(document)
  const parts: Html[] = []
  for (const tag of tags) {
    yield
    parts.push(renderTag(tag, operations, document))
  }
  yield
  parts.push(renderSchemas(document))
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title} API</title>
<style>${{ html: PAGE_STYLE }}</style>
</head>
<body>
<header>
<h1>${info.title} API <small>${info.version}</small></h1>
<p>${info.description} The same as a machine reads it: <a href="openapi.json">openapi.json</a>.</p>
<nav>${tags.map(({ name }) => html`<a href="#${anchor(name)}">${name}</a>`)}<a href="#schemas">Schemas</a></nav>
</header>
<main>
${parts}
<footer>${operations.length} operations</footer>
</main>
</body>
</html>
`.html
}

function listOperations({ paths }: OpenApiDocument): DocumentedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
}

function renderTag(
  { description = '', name }: OpenApiDocument['tags'][number],
  operations: readonly DocumentedOperation[],
  { components }: OpenApiDocument,
): Html {
  const tagged = operations.filter(({ operation }) => operation.tags.includes(name))
  return html`<section id="${anchor(name)}"><h2>${name}</h2>
<p>${description}</p>
${tagged.map((documented) => renderOperation(documented, components))}</section>
`
}

function renderSchemas({ components }: OpenApiDocument): Html {
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => html`<details><summary><code>${name}</code></summary>
<div class="inside" id="schema-${name}">${renderFields(schema)}</div></details>
`,
  )
  return html`<section id="schemas"><h2>Schemas</h2>
${schemas}</section>`
}

const anchor = (tag: string): string => `tag-${tag.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`
