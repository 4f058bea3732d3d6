import { readFileSync } from 'node:fs'

/** A flag of the official `test-flags.json`. */
interface OfficialFlag {
  readonly disabled?: boolean
  readonly variants: Readonly<Record<string, unknown>>
  readonly defaultVariant?: string | null
  readonly flagMetadata?: object | null
  /** A condition and the variant that it chooses; the default variant otherwise. */
  readonly contextEvaluator?: string
}

interface Condition {
  readonly attribute: string
  readonly operator: string
  readonly values: readonly string[]
}

/** The body of a write of a flag. */
export interface ConformanceFlag {
  readonly key: string
  readonly flag_type: 'boolean' | 'string' | 'integer' | 'json'
  readonly [field: string]: unknown
}

const OFFICIAL_FLAGS = new URL('../data/openfeature/test-flags.json', import.meta.url)

/** Returns the flags of the official conformance suite as bodies of `POST .../flags`. */
export const conformanceFlags = (): ConformanceFlag[] =>
  toConformanceFlags(JSON.parse(readFileSync(OFFICIAL_FLAGS, 'utf8')))

/** Converts flags in the format of `test-flags.json`. Throws for an expression that it does not know. */
function toConformanceFlags(official: Readonly<Record<string, OfficialFlag>>): ConformanceFlag[] {
  return Object.entries(official).map(([key, flag]) => toFlag(key, flag))
}

function toFlag(key: string, flag: OfficialFlag): ConformanceFlag {
  const { contextEvaluator, defaultVariant, disabled = false, flagMetadata, variants } = flag
  // JSON does not preserve that the file writes 0.0 and 1.0; the names of the flags do.
  const isFloat = key.startsWith('float-')
  const flag_type = isFloat ? 'json' : typeOf(flag)
  return {
    key,
    flag_type,
    is_enabled: !disabled,
    default_value: disabled || defaultVariant == null ? null : variants[defaultVariant],
    // A boolean flag whose value is null gets one of its own, so a disabled one is false.
    disabled_value: null,
    variant_names: variants,
    ...(isFloat && { value_schema: { type: 'number' } }),
    ...(flagMetadata && { metadata: flagMetadata }),
    ...(contextEvaluator && { rules: [toRule(contextEvaluator, variants)] }),
  }
}

/** Returns the type of the values. A boolean flag always has a value, so one without becomes `json`. */
function typeOf({ defaultVariant, variants }: OfficialFlag): ConformanceFlag['flag_type'] {
  const [value] = Object.values(variants)
  if (typeof value === 'boolean') return defaultVariant == null ? 'json' : 'boolean'
  if (typeof value === 'string') return 'string'
  return typeof value === 'number' ? 'integer' : 'json'
}

/** Converts an expression such as `!customer && email == 'a' && age > 10 ? 'internal' : ''`. */
function toRule(expression: string, variants: OfficialFlag['variants']): object {
  const [, tests = '', name = ''] = /^(.+) \? '([^']+)' : ''$/.exec(expression) ?? []
  const [first, ...conditions] = tests.split(' && ').map(toCondition)
  if (!first || !(name in variants)) throw new Error(`unknown expression: ${expression}`)
  const variant = variants[name]
  // A matching rule of a boolean flag gives true, unless it is one that switches off.
  const effect = variant === false ? { off: true } : { variant }
  return { ...first, ...(conditions.length > 0 && { conditions }), ...effect }
}

function toCondition(test: string): Condition {
  const equal = /^(\w+) == '([^']*)'$/.exec(test)
  if (equal) return condition(equal[1], 'equals', equal[2])
  const greater = /^(\w+) > (\d+)$/.exec(test)
  if (greater) return condition(greater[1], 'greater_than', greater[2])
  const negated = /^!(\w+)$/.exec(test)
  // True also where the attribute is absent.
  if (negated) return condition(negated[1], 'not_in', 'true')
  throw new Error(`unknown test: ${test}`)
}

const condition = (attribute = '', operator: string, value = ''): Condition => ({
  attribute,
  operator,
  values: [value],
})
