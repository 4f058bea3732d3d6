import type { JsonSchema } from '@burgee/contract'
import { type Html, html, prose, when } from './html.ts'

const REFERENCE = /^#\/components\/schemas\/(.+)$/

/** Returns the name of the referenced schema. */
export const referredName = ({ $ref }: JsonSchema): string | undefined =>
  $ref === undefined ? undefined : REFERENCE.exec($ref)?.[1]

/** Formats a type in a few words: `string`, `Flag[]`, `integer or null`, with links to the named ones. */
export function renderType(schema: JsonSchema): Html {
  const name = referredName(schema)
  if (name !== undefined) return html`<a href="#schema-${name}">${name}</a>`
  if (schema.items) return html`${renderType(schema.items)}[]`
  if (schema.prefixItems) return html`[${joinTypes(schema.prefixItems.map(renderType), ', ')}]`
  if (schema.enum) return html`${schema.enum.map((value) => JSON.stringify(value)).join(' | ')}`
  if ('const' in schema) return html`${JSON.stringify(schema.const)}`
  const members = schema.anyOf ?? schema.allOf
  if (members) return joinTypes(members.map(renderType), schema.anyOf ? ' or ' : ' and ')
  if (schema.type === undefined) return html`any JSON`
  return html`${[schema.type].flat().join(' or ')}`
}

/** Returns the limits of a value beside its type: lengths, bounds, pattern, format. */
function limitsOf(schema: JsonSchema): string[] {
  const { format, maxLength, maximum, minLength, minimum, pattern } = schema
  return [
    range('length', minLength, maxLength),
    range('', minimum, maximum),
    format === undefined ? '' : `format ${format}`,
    pattern === undefined ? '' : `pattern ${pattern}`,
  ].filter((limit) => limit !== '')
}

/** Renders the fields of an object as a table, or only the type when there are none. */
export function renderFields(schema: JsonSchema): Html {
  const { properties } = schema
  if (schema.allOf) return html`${schema.allOf.map(renderFields)}`
  if (!properties || Object.keys(properties).length === 0) return html`<p>${renderType(schema)}</p>`
  const required = new Set(schema.required)
  const rows = Object.entries(properties).map(([name, property]) =>
    renderField({ name, schema: property, required: required.has(name) }),
  )
  return html`<table><tr><th>Field</th><th>Type</th><th>Notes</th></tr>${rows}</table>`
}

/** Renders a row in a table of fields or parameters. */
export function renderField(field: {
  readonly name: string
  readonly schema: JsonSchema
  readonly required: boolean
  readonly description?: string
}): Html {
  const { description = field.schema.description, name, required, schema } = field
  const notes = [...(description === undefined ? [] : [description]), ...limitsOf(schema)].join('; ')
  const nested = innerObject(schema)
  return html`<tr><td><code>${name}</code>${when(required, () => html` <b title="required">required</b>`)}</td>
<td>${renderType(schema)}</td><td>${prose(notes)}${nested ? renderFields(nested) : html``}</td></tr>`
}

/** Returns an object schema that is written inline, also as the items of a list. */
function innerObject(schema: JsonSchema): JsonSchema | undefined {
  const inner = schema.items ?? schema
  return inner.properties && Object.keys(inner.properties).length > 0 ? inner : undefined
}

function range(of: string, low: number | undefined, high: number | undefined): string {
  const text = bounds(low, high)
  return text === '' || of === '' ? text : `${of} ${text}`
}

function bounds(low: number | undefined, high: number | undefined): string {
  if (low !== undefined && high !== undefined) return low === high ? String(low) : `${low} to ${high}`
  if (low !== undefined) return `at least ${low}`
  return high === undefined ? '' : `at most ${high}`
}

function joinTypes(types: readonly Html[], separator: string): Html {
  return { html: types.map(({ html }) => html).join(separator) }
}
