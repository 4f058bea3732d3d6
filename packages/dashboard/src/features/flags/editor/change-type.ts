import type { FlagType, JsonValue } from '@burgee/evaluation'
import type { Draft } from './draft.ts'

/**
 * The draft with another type. Values that can be read as the new type are converted; the others become no
 * value.
 */
export function changeType(draft: Draft, flag_type: FlagType): Draft {
  const convert = (value: JsonValue) => convertValue(value, flag_type)
  const ofBoolean = flag_type === 'boolean'
  return {
    ...draft,
    flag_type,
    default_value: convert(draft.default_value) ?? (ofBoolean ? true : null),
    disabled_value: convert(draft.disabled_value) ?? (ofBoolean ? false : null),
    // A boolean flag has no variants (docs/reference/flags.md). It gives true on a match, even if the rule
    // has a value.
    variants: ofBoolean ? [] : draft.variants.map(({ weight, value }) => ({ weight, value: convert(value) })),
    rules: draft.rules.map(({ variant, variants, ...rule }) => {
      const converted = variant === undefined || ofBoolean ? null : convert(variant)
      return {
        ...rule,
        ...(converted !== null && { variant: converted }),
        ...(variants &&
          !ofBoolean && { variants: variants.map((each) => ({ ...each, value: convert(each.value) })) }),
      }
    }),
    variant_names:
      draft.variant_names &&
      Object.fromEntries(Object.entries(draft.variant_names).map(([name, value]) => [name, convert(value)])),
    value_schema: flag_type === 'json' ? draft.value_schema : undefined,
  }
}

function convertValue(value: JsonValue, flag_type: FlagType): JsonValue {
  if (value === null) return null
  switch (flag_type) {
    case 'json':
      return value
    case 'string':
      return typeof value === 'string' ? value : JSON.stringify(value)
    case 'integer':
      return toInteger(value)
    case 'boolean':
      return toBoolean(value)
  }
}

function toInteger(value: JsonValue): JsonValue {
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value
  return Number.isSafeInteger(number) ? number : null
}

function toBoolean(value: JsonValue): JsonValue {
  if (value === true || value === 'true') return true
  return value === false || value === 'false' ? false : null
}
