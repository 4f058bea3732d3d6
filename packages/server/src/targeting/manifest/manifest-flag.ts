import {
  cutText,
  type FlagInput,
  type FlagPatch,
  type ManifestEntry,
  type ManifestPatch,
  type TypedFlag,
  toManifestFlag,
} from '@burgee/contract'
import { conflict, invalid, Refusal } from '../../kernel/refusal.ts'

const FLAG_TYPE = {
  boolean: 'boolean',
  string: 'string',
  integer: 'integer',
  float: 'json',
  object: 'json',
} as const

/** Returns a flag as an entry of the manifest. Its description is cut. */
export function toEntry(flag: TypedFlag): ManifestEntry {
  const { defaultValue, flagType } = toManifestFlag(flag)
  return { key: flag.key, name: flag.key, type: flagType, description: shownOf(flag), defaultValue }
}

const shownOf = ({ description }: TypedFlag): string | null =>
  description === null ? null : cutText(description)

/** Returns the new flag of an entry: off, with the default as the value while it is off. */
export function toNewFlag({ defaultValue, description, key, name, type }: ManifestEntry): FlagInput {
  const text = description ?? (name === undefined || name === key ? null : name)
  return {
    key,
    is_enabled: false,
    flag_type: FLAG_TYPE[type],
    description: text,
    disabled_value: defaultValue,
    ...(type !== 'boolean' && { default_value: defaultValue }),
  }
}

/**
 * Returns the patch of an entry. A description that is the one of the manifest changes nothing, because it
 * may be cut. Refuses another type, and a flag that is archived.
 */
export function toPatch(flag: TypedFlag, { defaultValue, description, type }: ManifestPatch): FlagPatch {
  if (flag.archived_at !== null)
    throw conflict(`Flag "${flag.key}" is archived. Unarchive it in the dashboard before you change it.`)
  if (FLAG_TYPE[type] !== flag.flag_type)
    throw conflict(
      `The type of flag "${flag.key}" cannot be changed from ${toManifestFlag(flag).flagType} to ${type}. Create a flag with another key.`,
    )
  return {
    ...(description !== undefined && description !== shownOf(flag) && { description }),
    ...(defaultValue !== undefined && { disabled_value: defaultValue }),
  }
}

/** The fields of an entry, by the field of the flag that holds them. */
const ENTRY_FIELD: Readonly<Record<string, string>> = {
  disabled_value: 'defaultValue',
  default_value: 'defaultValue',
  flag_type: 'type',
}

/** Returns a refusal of a flag with the fields of the entry that it was made of; any other error as it is. */
export function nameManifestFields(error: unknown): unknown {
  if (!(error instanceof Refusal) || error.kind !== 'invalid' || !error.extras.details) return error
  const named = error.extras.details.map(({ message, path }) => ({
    path: path.replace(/^\/(\w+)/, (whole, field: string) =>
      ENTRY_FIELD[field] ? `/${ENTRY_FIELD[field]}` : whole,
    ),
    message,
  }))
  // One value of the entry is two of the flag.
  const details = named.filter(
    ({ message, path }, index) =>
      named.findIndex((other) => other.path === path && other.message === message) === index,
  )
  const { extras, message } = invalid(details)
  return new Refusal('invalid', message, { ...error.extras, ...extras })
}
