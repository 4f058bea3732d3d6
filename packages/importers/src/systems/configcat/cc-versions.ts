import {
  comparedTexts,
  isObject,
  type JsonObject,
  numberOf,
  objectOf,
  objectsOf,
  textOf,
} from '../../reading.ts'
import type { RecognizedFile } from '../../recognition/recognize-files.ts'

/** Returns a config as version 6 has it. */
export function contentOf({ data, kind }: RecognizedFile): JsonObject {
  const content = objectOf(data)
  if (kind === 'v6') return content
  const settings = objectOf(kind === 'v5' ? content.f : content)
  return { f: Object.fromEntries(Object.entries(settings).map(([key, one]) => [key, settingOf(one)])) }
}

/** A setting before version 6 has plain values, and rules of one condition each, whose value is a text. */
function settingOf(setting: unknown): unknown {
  if (!isObject(setting) || setting.v === undefined) return null
  const { p, r, t, v } = setting
  return {
    ...{ t, v: typedValue(v, t) },
    r: byOrder(r).map((rule) => ({ c: [{ u: conditionOf(rule) }], s: { v: typedValue(rule.v, t) } })),
    p: byOrder(p).map((option) => ({ p: option.p, v: typedValue(option.v, t) })),
  }
}

/** SDKs read rules in the order of the file; `o` says the same. */
const byOrder = (list: unknown): readonly JsonObject[] => objectsOf(list)

const FIELDS = ['b', 's', 'i', 'd'] as const

function typedValue(value: unknown, type: unknown): JsonObject {
  const field = FIELDS[numberOf(type) ?? -1] ?? (typeof value === 'boolean' ? 'b' : 's')
  return { [field]: value }
}

const LISTS: ReadonlySet<number> = new Set([0, 1, 4, 5])
const VERSION_ORDERS: ReadonlySet<number> = new Set([6, 7, 8, 9])
const NUMBERS: ReadonlySet<number> = new Set([10, 11, 12, 13, 14, 15])
const HASHED: ReadonlySet<number> = new Set([16, 17])

function conditionOf({ a, c, t }: JsonObject): JsonObject {
  const comparator = numberOf(t) ?? -1
  const [text = ''] = comparedTexts([c])
  if (LISTS.has(comparator)) return { a, c: comparator, l: text.split(',').map((one) => one.trim()) }
  if (VERSION_ORDERS.has(comparator)) return { a, c: comparator, s: text.trim() }
  if (NUMBERS.has(comparator)) return { a, c: comparator, d: numberOf(text.replace(',', '.')) }
  if (HASHED.has(comparator)) return { a, c: comparator }
  return { a, c: comparator, l: [textOf(text) ?? ''] }
}
