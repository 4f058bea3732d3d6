import type { OpenApiDocument, Operation, Parameter } from '@burgee/contract'
import { curlExample, type DocumentedOperation } from './curl-example.ts'
import { type Html, html, prose, when } from './html.ts'
import { referredName, renderField, renderFields, renderType } from './render-schema.ts'

type Components = OpenApiDocument['components']

/** Renders an operation: closed, its method, path and summary; open, everything. */
export function renderOperation(documented: DocumentedOperation, components: Components): Html {
  const { method, operation, path } = documented
  return html`<details class="operation" id="${operation.operationId}">
<summary><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code> <span>${operation.summary}</span></summary>
<div class="inside">
${operation.description.split('\n\n').map((paragraph) => html`<p>${prose(paragraph)}</p>`)}
${renderParameters(operation, components)}
${renderBody(operation, components)}
<h4>Responses</h4>
<table><tr><th>Status</th><th>Meaning</th><th>Body</th></tr>${renderResponses(operation, components)}</table>
<h4>Example</h4>
<pre>${curlExample(documented)}</pre>
${renderResponseExample(operation)}
</div></details>`
}

function renderParameters({ parameters }: Operation, components: Components): Html {
  const rows = parameters
    .map((parameter) => ('$ref' in parameter ? components.parameters[lastPart(parameter.$ref)] : parameter))
    .filter((parameter): parameter is Parameter => parameter !== undefined)
    .map((parameter) => renderField({ ...parameter, name: `${parameter.name} (${parameter.in})` }))
  return when(
    rows.length > 0,
    () => html`<h4>Parameters</h4><table><tr><th>Name</th><th>Type</th><th>Notes</th></tr>${rows}</table>`,
  )
}

function renderBody({ requestBody }: Operation, { schemas }: Components): Html {
  const schema = requestBody?.content['application/json']?.schema
  if (!requestBody || !schema) return html``
  const name = referredName(schema)
  const title = html`Body${when(!requestBody.required, () => html` (optional)`)}`
  if (name === undefined) return html`<h4>${title}</h4>${renderFields(schema)}`
  return html`<h4>${title}: ${renderType(schema)}</h4>${renderFields(schemas[name] ?? schema)}`
}

function renderResponses({ responses }: Operation, components: Components): Html[] {
  return Object.entries(responses).map(([status, given]) => {
    const response = '$ref' in given ? components.responses[lastPart(given.$ref)] : given
    const bodies = Object.entries(response?.content ?? {}).map(([contentType, { schema }]) =>
      contentType === 'application/json' ? renderType(schema) : html`<code>${contentType}</code>`,
    )
    const meaning = given.description ?? response?.description ?? ''
    const headers = Object.keys(response?.headers ?? {}).map((name) => html` <code>${name}</code>`)
    const sent = when(headers.length > 0, () => html` Headers:${headers}.`)
    return html`<tr><td>${status}</td><td>${prose(meaning)}.${sent}</td><td>${bodies}</td></tr>`
  })
}

/** Renders the body of the usual response, or nothing when it has none. */
function renderResponseExample({ responses }: Operation): Html {
  const usual = Object.values(responses)[0]
  const [content] = usual && 'content' in usual ? Object.values(usual.content ?? {}) : []
  if (content?.example === undefined) return html``
  const { example } = content
  return html`<pre>${typeof example === 'string' ? example : JSON.stringify(example, null, 2)}</pre>`
}

const lastPart = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1)
