import type { FlagExtensionName, FlagExtensions, FlagInput } from '@burgee/contract'
import { toInstant } from '../../kernel/instant.ts'
import { isGiven } from '../../kernel/is-given.ts'

type Stored = { readonly [Name in FlagExtensionName]: (input: FlagInput) => FlagExtensions[Name] }

/** Reads each field that is absent unless it is set; undefined where it is null or its default. */
const READ: Stored = {
  rollout_thousandths: ({ rollout_thousandths }) => rollout_thousandths ?? undefined,
  bucket_by: ({ bucket_by }) => bucket_by ?? undefined,
  rollout_salt: ({ rollout_salt }) => rollout_salt ?? undefined,
  variant_salt: ({ variant_salt }) => variant_salt ?? undefined,
  hash: ({ hash }) => (isGiven(hash) && hash !== 'murmur3' ? hash : undefined),
  variant_names: ({ variant_names }) => withEntries(variant_names),
  metadata: ({ metadata }) => withEntries(metadata && withoutNull(metadata)),
  value_schema: ({ value_schema }) => value_schema ?? undefined,
  lifetime: ({ lifetime }) => (lifetime === 'permanent' ? lifetime : undefined),
  expires_at: ({ expires_at }) => (isGiven(expires_at) ? toInstant(expires_at) : undefined),
  managed_by: ({ managed_by }) => managed_by ?? undefined,
  links: ({ links }) =>
    links && links.length > 0 ? links.map(({ title, url }) => ({ title, url })) : undefined,
  client_visible: ({ client_visible }) => (client_visible === false ? client_visible : undefined),
}

/** Returns the fields that are set (docs/reference/flags.md#further-fields), without the others. */
export function toFlagExtensions(input: FlagInput): FlagExtensions {
  const fields = Object.entries(READ).map(([name, read]) => [name, read(input)])
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined))
}

/** Returns the same fields of a stored flag. */
export function extensionsOf(flag: FlagExtensions): FlagExtensions {
  const set = Object.keys(READ).filter((name) => flag[name as FlagExtensionName] !== undefined)
  return Object.fromEntries(set.map((name) => [name, flag[name as FlagExtensionName]]))
}

const withEntries = <T extends object>(record: T | null | undefined): T | undefined =>
  record && Object.keys(record).length > 0 ? record : undefined

const withoutNull = <T>(record: Readonly<Record<string, T | null>>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter((entry): entry is [string, T] => entry[1] !== null))
