import type { Warning } from '@burgee/contract'
import { escapePointer } from '../../kernel/hygiene.ts'

/** Fields that answers carry and writes ignore: sending them back is no mistake. */
const READ_ONLY = ['revision', 'warnings', 'id', 'environment_id', 'created_at', 'updated_at', 'archived_at']

const RULE_FIELDS = ['attribute', 'operator', 'values', 'segment_key', 'variant', 'conditions']
const CONDITION_FIELDS = ['attribute', 'operator', 'values']
const VARIANT_FIELDS = ['weight', 'value']
const PREREQUISITE_FIELDS = ['flag_key', 'required_value']

/**
 * Fields of a flag's or segment's body that nothing reads, as warnings: probably a spelling mistake. `known` are the
 * body's own fields; the fields of rules, conditions, variants and prerequisites are looked at as well.
 */
export function findUnknownFields(body: object, known: readonly string[]): Warning[] {
  return [
    ...unknownIn(body, [...known, ...READ_ONLY], ''),
    ...unknownInItems(body, 'rules', RULE_FIELDS, ''),
    ...itemsOf(body, 'rules').flatMap((rule, index) =>
      unknownInItems(rule, 'conditions', CONDITION_FIELDS, `/rules/${index}`),
    ),
    ...unknownInItems(body, 'variants', VARIANT_FIELDS, ''),
    ...unknownInItems(body, 'prerequisites', PREREQUISITE_FIELDS, ''),
  ]
}

function unknownInItems(body: object, field: string, known: readonly string[], path: string): Warning[] {
  return itemsOf(body, field).flatMap((item, index) => unknownIn(item, known, `${path}/${field}/${index}`))
}

function itemsOf(body: object, field: string): object[] {
  const items: unknown = Object.entries(body).find(([key]) => key === field)?.[1]
  return Array.isArray(items) ? items.filter((item) => typeof item === 'object' && item !== null) : []
}

function unknownIn(body: object, known: readonly string[], path: string): Warning[] {
  return Object.keys(body)
    .filter((key) => !known.includes(key))
    .map((key) => ({
      code: 'unknown_field',
      path: `${path}/${escapePointer(key)}`,
      message: `There is no field "${key}" here; it was ignored.`,
    }))
}
