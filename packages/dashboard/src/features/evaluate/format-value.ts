import { cutLine } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'

const VALUE_MAX = 120

/** A value on one line, as JSON, so that `"1"` and `1` differ; null is no value. */
export const formatValue = (value: JsonValue): string =>
  value === null ? 'no value' : cutLine(JSON.stringify(value), VALUE_MAX)
