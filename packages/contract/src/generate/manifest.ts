import type { JsonValue } from '@burgee/evaluation'
import { sortFlags, type TypedFlag } from './typed-flag.ts'
import { hasNumbersOnly } from './value-type.ts'

export type ManifestType = 'boolean' | 'string' | 'integer' | 'float' | 'object'

interface ManifestFlag {
  readonly flagType: ManifestType
  readonly defaultValue: JsonValue
  readonly description?: string
}

/** The flag manifest of the OpenFeature command line (open-feature/cli 0.4.1). */
export interface Manifest {
  readonly $schema: string
  readonly flags: Readonly<Record<string, ManifestFlag>>
}

const SCHEMA =
  'https://raw.githubusercontent.com/open-feature/cli/refs/heads/main/schema/v0/flag-manifest.json'
const ZEROS = { boolean: false, string: '', integer: 0, float: 0, object: {} } as const

/** Returns the manifest of the flags that are not archived. */
export function generateManifest(flags: readonly TypedFlag[]): Manifest {
  const active = sortFlags(flags).filter(({ archived_at }) => archived_at === null)
  return {
    $schema: SCHEMA,
    flags: Object.fromEntries(active.map((flag) => [flag.key, toManifestFlag(flag)])),
  }
}

/** Returns a flag of the manifest. */
export function toManifestFlag(flag: TypedFlag): ManifestFlag {
  const flagType = toManifestType(flag)
  return {
    flagType,
    defaultValue: toDefault(flag, flagType),
    ...(flag.description && { description: flag.description }),
  }
}

/** Returns the type of a flag in the manifest: a `json` flag of numbers is a `float`. */
export function toManifestType(flag: TypedFlag): ManifestType {
  if (flag.flag_type !== 'json') return flag.flag_type
  return hasNumbersOnly(flag) ? 'float' : 'object'
}

/** The value of an evaluation that fails: `disabled_value`, or the zero of the type. */
function toDefault({ disabled_value }: TypedFlag, type: ManifestType): JsonValue {
  const isUsable =
    type === 'object'
      ? disabled_value !== null && typeof disabled_value === 'object' && !Array.isArray(disabled_value)
      : disabled_value !== null
  return isUsable ? disabled_value : ZEROS[type]
}
