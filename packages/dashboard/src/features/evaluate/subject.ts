import { isObject } from '@burgee/contract'
import { type Attributes, type AttributeValue, type JsonValue, parseJsonNumber } from '@burgee/evaluation'

/** The user to evaluate flags for. */
export interface Subject {
  /** Null: an anonymous user. */
  readonly user_key: string | null
  readonly attributes: Attributes
}

export const ATTRIBUTE_TYPES = ['text', 'number', 'boolean', 'list'] as const
export type AttributeType = (typeof ATTRIBUTE_TYPES)[number]

/** One attribute as it is typed. */
export interface AttributeRow {
  /** Identifies a row while its name is typed. */
  readonly id: number
  readonly name: string
  readonly type: AttributeType
  readonly text: string
  /** The items of a list. */
  readonly items: readonly string[]
}

/** Reads the rows: their attributes, or their problems by the row's id. Rows without a name are left out. */
export function readRows(rows: readonly AttributeRow[]): {
  readonly attributes: Attributes
  readonly problems: Readonly<Record<number, string>>
} {
  const attributes = new Map<string, AttributeValue>()
  const problems: Record<number, string> = {}
  for (const row of rows) {
    if (row.name === '') continue
    if (attributes.has(row.name)) problems[row.id] = `“${row.name}” is there twice.`
    else if (row.type === 'number' && !isNumber(row.text))
      problems[row.id] = 'Enter a number, such as 42 or 9.5.'
    else attributes.set(row.name, readValue(row))
  }
  return { attributes: Object.fromEntries(attributes), problems }
}

/** By the grammar of JSON: the API takes no other numbers. */
const isNumber = (text: string): boolean => !Number.isNaN(parseJsonNumber(text))

function readValue({ type, text, items }: AttributeRow): AttributeValue {
  switch (type) {
    case 'text':
      return text
    case 'number':
      return Number(text)
    case 'boolean':
      return text === 'true'
    case 'list':
      return items
  }
}

/** Attributes as rows. Null if one of them fits in no row, such as a list of lists. */
export function toRows(attributes: Attributes): AttributeRow[] | null {
  const rows: AttributeRow[] = []
  for (const [name, value] of Object.entries(attributes)) {
    const row = toRow(value)
    if (!row) return null
    rows.push({ id: rows.length + 1, name, ...row })
  }
  return rows
}

function toRow(value: AttributeValue): Omit<AttributeRow, 'id' | 'name'> | null {
  if (typeof value === 'string') return { type: 'text', text: value, items: [] }
  if (typeof value === 'number') return { type: 'number', text: String(value), items: [] }
  if (typeof value === 'boolean') return { type: 'boolean', text: String(value), items: [] }
  if (!Array.isArray(value)) return null
  const items = value.filter((item) => typeof item === 'string')
  return items.length === value.length ? { type: 'list', text: '', items } : null
}

/** Attributes from JSON text, or the reason why it gives none. An empty text means no attributes. */
export function parseAttributes(
  text: string,
): { readonly attributes: Attributes } | { readonly problem: string } {
  if (text.trim() === '') return { attributes: {} }
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return { attributes: value as Attributes }
    return { problem: 'Attributes are an object, such as {"plan": "pro"}.' }
  } catch (error) {
    return {
      problem: `This is not valid JSON: ${error instanceof Error ? error.message : 'it cannot be read'}`,
    }
  }
}

/** Attributes in the form of an address: compact, and absent if there are none. */
export const formatAttributes = (attributes: Attributes): string =>
  Object.keys(attributes).length === 0 ? '' : JSON.stringify(attributes)

/** The user in the body of a request. JSON has no undefined attributes. */
export const toRequest = ({ attributes, user_key }: Subject) => ({
  user_key,
  attributes: attributes as Record<string, JsonValue>,
})
