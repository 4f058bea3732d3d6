import type { Flag, JsonValue } from '@burgee/sdk'
import type { ApiData, FlagDefinitionType, FlagOptionType } from 'flags'
import { flagAddress } from './flag-address.ts'

export interface ProviderDataOptions {
  /** The server's base address. */
  readonly url: string
  /** An SDK key of the kind `reader` or `server`. Others receive no descriptions. */
  readonly sdkKey: string
  /** The address of the environment in the dashboard, for links to flags. */
  readonly origin?: string
}

/** The fields that `flags` shows. Descriptions are beside what evaluation reads. */
type ShownFlag = Flag & { readonly description?: string | null }

const TIMEOUT_MS = 10_000
/** The number of values of a flag that are offered as options. */
const MAX_OPTIONS = 100

/**
 * Returns the flags of the environment for `createFlagsDiscoveryEndpoint`. It never throws: a failure is a
 * hint.
 */
export async function getProviderData(
  options: ProviderDataOptions,
): Promise<Required<Pick<ApiData, 'definitions' | 'hints'>>> {
  try {
    const flags = await fetchFlags(options)
    const definitions = flags.map((flag) => [flag.key, define(flag, options.origin)] as const)
    return { definitions: Object.fromEntries(definitions), hints: [] }
  } catch (error) {
    const text = `Burgee: ${error instanceof Error ? error.message : String(error)}`
    return { definitions: {}, hints: [{ key: 'burgee/snapshot', text }] }
  }
}

async function fetchFlags({ sdkKey, url }: ProviderDataOptions): Promise<ShownFlag[]> {
  const response = await fetch(`${url.replace(/\/+$/, '')}/flags/snapshot`, {
    headers: { authorization: `Bearer ${sdkKey}` },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (response.status === 401) throw new Error('The SDK key is not valid. Check BURGEE_SDK_KEY.')
  if (!response.ok) throw new Error(`The server responded with ${response.status}.`)
  const flags: unknown = await response.json()
  if (!Array.isArray(flags))
    throw new Error('The response is no list of flags. Check the address of the server.')
  return flags
}

function define(flag: ShownFlag, origin: string | undefined): FlagDefinitionType {
  return {
    options: optionsOf(flag),
    ...(flag.description && { description: flag.description }),
    ...(origin !== undefined && { origin: flagAddress(origin, flag.key) }),
  }
}

function optionsOf(flag: ShownFlag): FlagOptionType[] {
  if (flag.flag_type === 'boolean') {
    return [
      { value: false, label: 'Off' },
      { value: true, label: 'On' },
    ]
  }
  const names = Object.entries(flag.variant_names ?? {}).map(
    ([name, value]) => [textOf(value), name] as const,
  )
  const labels = new Map(names.reverse())
  const values = new Map(valuesOf(flag).map((value) => [textOf(value), value]))
  return [...values].slice(0, MAX_OPTIONS).map(([text, value]) => {
    const label = labels.get(text)
    return label === undefined ? { value } : { value, label }
  })
}

/** Returns every value that the flag can have, with repetitions. */
const valuesOf = ({ default_value, disabled_value, rules, variants }: ShownFlag): JsonValue[] =>
  [
    default_value,
    ...variants.map(({ value }) => value),
    ...rules.flatMap(({ variant = null, variants: own }) => [
      variant,
      ...(own ?? []).map(({ value }) => value),
    ]),
    disabled_value,
  ].filter((value) => value !== null)

const textOf = (value: JsonValue): string => JSON.stringify(value)
