import type { Flag } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'

type ValuesOfFlag = Pick<Flag, 'flag_type' | 'default_value' | 'disabled_value' | 'variants' | 'rules'>

/** The values that a flag may give as SDKs report them, each once: the weighted variants first. */
export function listControlValues(flag: ValuesOfFlag | undefined): string[] {
  if (!flag) return []
  return [
    ...new Set(
      valuesOf(flag)
        .filter((value) => value !== null)
        .map(reportedText),
    ),
  ]
}

/** The values that a flag may give; a boolean flag gives false and true. */
export function valuesOf(flag: ValuesOfFlag): JsonValue[] {
  if (flag.flag_type === 'boolean') return [false, true]
  return [
    ...flag.variants.map(({ value }) => value),
    flag.default_value,
    flag.disabled_value,
    ...flag.rules.map(({ variant }) => variant ?? null),
  ]
}

/** A value as SDKs report it: a string as it is, everything else as JSON. */
export const reportedText = (value: JsonValue): string =>
  typeof value === 'string' ? value : JSON.stringify(value)
