import type { ChangeRequest } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'

/** The requested operation, as the verb before the flag's key: "Change", "Promote from Staging". */
export function describeOperation({ operation, body }: Pick<ChangeRequest, 'operation' | 'body'>): string {
  switch (operation) {
    case 'create':
      return 'Create'
    case 'patch':
      return 'Change'
    case 'replace':
      return 'Replace'
    case 'promote':
      return `Promote${sourceOf(body)}`
    case 'restore':
      return 'Restore'
    case 'archive':
      return 'Archive'
    case 'unarchive':
      return 'Unarchive'
    case 'add_tags':
      return 'Add tags to'
    case 'remove_tags':
      return 'Remove tags from'
    case 'unschedule':
      return 'Withdraw a scheduled change of'
    case 'delete':
      return 'Delete'
  }
}

function sourceOf(body: JsonValue): string {
  const name = field(field(body, 'source'), 'name')
  return typeof name === 'string' ? ` from ${name}` : ''
}

const field = (value: JsonValue | undefined, name: string): JsonValue | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, JsonValue>>)[name]
    : undefined
