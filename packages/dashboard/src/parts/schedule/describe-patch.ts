import { cutLine } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'
import { countOf } from '../../shared/ui/count-of.ts'

const TEXT_MAX = 60

/**
 * The settings of a merge patch, in short phrases, where the flag that it was made for is not at hand any
 * more.
 */
export const describePatch = (patch: Readonly<Record<string, JsonValue>>): string[] =>
  Object.entries(patch).map(([field, value]) => describeField(field, value))

function describeField(field: string, value: JsonValue): string {
  switch (field) {
    case 'is_enabled':
      return value === true ? 'switch on' : 'switch off'
    case 'rollout_percentage':
      return `rollout to ${value ?? 100}%`
    case 'archived_at':
      return value === null ? 'unarchive' : 'archive'
    default:
      return describeOther(field.replaceAll('_', ' '), value)
  }
}

function describeOther(name: string, value: JsonValue): string {
  if (value === null) return `no ${name}`
  if (Array.isArray(value)) return describeList(name, value)
  return `${name} to ${cutLine(JSON.stringify(value), TEXT_MAX)}`
}

function describeList(name: string, list: readonly JsonValue[]): string {
  if (list.length === 0) return `no ${name}`
  if (list.every((item) => typeof item === 'string')) return `${name}: ${cutLine(list.join(', '), TEXT_MAX)}`
  return countOf(list.length, name.replace(/s$/, ''), name)
}
