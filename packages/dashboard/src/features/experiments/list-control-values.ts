import type { Flag } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'

type ValuesOfFlag = Pick<Flag, 'flag_type' | 'default_value' | 'disabled_value' | 'variants' | 'rules'>

/** What a flag may give, as the text under which SDKs report it: the weighted variants first. */
export function listControlValues(flag: ValuesOfFlag | undefined): string[] {
  if (!flag) return []
  if (flag.flag_type === 'boolean') return ['false', 'true']
  const values: JsonValue[] = [
    ...flag.variants.map(({ value }) => value),
    flag.default_value,
    flag.disabled_value,
    ...flag.rules.map(({ variant }) => variant ?? null),
  ]
  return [...new Set(values.filter((value) => value !== null).map(reportedText))]
}

/** A string as it is, everything else as JSON. */
const reportedText = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value))
