import { comparedTexts, isObject, type JsonObject, numberOf, objectOf, objectsOf } from '../../reading.ts'
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
    r: objectsOf(r).map((rule) => ({ c: [{ u: conditionOf(rule) }], s: { v: typedValue(rule.v, t) } })),
    p: objectsOf(p).map((option) => ({ p: option.p, v: typedValue(option.v, t) })),
  }
}

const FIELDS = ['b', 's', 'i', 'd'] as const

function typedValue(value: unknown, type: unknown): JsonObject {
  const field = FIELDS[numberOf(type) ?? -1] ?? (typeof value === 'boolean' ? 'b' : 's')
  return { [field]: value }
}

/** The comparators of version 5 have the numbers of version 6. */
const VERSION_NOT_IN = 5
const LISTS: ReadonlySet<number> = new Set([0, 1, 4, VERSION_NOT_IN])
const VERSION_ORDERS: ReadonlySet<number> = new Set([6, 7, 8, 9])
const NUMBERS: ReadonlySet<number> = new Set([10, 11, 12, 13, 14, 15])
const WHOLE_VERSION = /^v?\d+\.\d+\.\d+/

function conditionOf({ a, c: value, t }: JsonObject): JsonObject {
  const c = numberOf(t) ?? -1
  const [text = ''] = comparedTexts([value])
  if (LISTS.has(c)) {
    const list = text.split(',').map((one) => one.trim())
    // Here an entry that is no version is as none, and elsewhere no user matches.
    return { a, c, l: c === VERSION_NOT_IN ? list.filter((one) => WHOLE_VERSION.test(one)) : list }
  }
  if (VERSION_ORDERS.has(c)) return { a, c, s: text.trim() }
  if (!NUMBERS.has(c)) return { a, c, l: [text] }
  const number = Number.parseFloat(text.replace(',', '.'))
  return { a, c, d: Number.isNaN(number) ? null : number }
}
