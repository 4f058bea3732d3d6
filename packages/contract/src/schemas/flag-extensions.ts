import type { JsonValue } from '@burgee/evaluation'
import { type Static, Type } from 'typebox'
import {
  FLAG_LINKS_MAX,
  LINK_TITLE_MAX_LENGTH,
  LINK_URL_MAX_LENGTH,
  MANAGED_BY_MAX_LENGTH,
  METADATA_ENTRIES_MAX,
  VARIANT_NAME_MAX_LENGTH,
  VARIANT_NAMES_MAX,
} from '../limits.ts'
import { bucketing, rolloutThousandths } from './bucketing.ts'
import { anyJson, Nullable, timestamp } from './common.ts'

export const Link = Type.Object(
  {
    title: Type.String({
      minLength: 1,
      maxLength: LINK_TITLE_MAX_LENGTH,
      description: 'The text of the link',
    }),
    url: Type.String({ maxLength: LINK_URL_MAX_LENGTH, description: 'An address with http or https' }),
  },
  { examples: [{ title: 'Ticket 4711', url: 'https://tracker.example.com/4711' }] },
)

const MetadataValue = Type.Union([Type.String(), Type.Number(), Type.Boolean()])
const Name = Type.String({ minLength: 1, maxLength: VARIANT_NAME_MAX_LENGTH })

/**
 * The fields of a flag that are absent unless they are set (docs/reference/flags.md#further-fields). Its
 * default, or null, unsets a field.
 */
export const flagExtensions = {
  rollout_thousandths: rolloutThousandths(
    'The rollout in thousandths of a percent; `rollout_percentage` is then its whole percentage',
  ),
  bucket_by: bucketing.bucket_by,
  rollout_salt: bucketing.rollout_salt,
  variant_salt: bucketing.variant_salt,
  hash: bucketing.hash,
  variant_names: Type.Record(Name, anyJson({ description: 'The value that the name stands for' }), {
    maxProperties: VARIANT_NAMES_MAX,
    description: 'Names of values, shown in results; never evaluated',
  }),
  metadata: Type.Record(Name, MetadataValue, {
    maxProperties: METADATA_ENTRIES_MAX,
    description: 'Facts for programs, delivered with the flag',
  }),
  value_schema: Type.Unsafe<Readonly<Record<string, JsonValue>> | boolean>({
    description: 'A JSON Schema (2020-12) that each value of a `json` flag must fit',
  }),
  lifetime: Type.Enum(['permanent'], {
    description: '`permanent` for a flag that is meant to stay; `temporary`, the default, is never shown',
  }),
  expires_at: timestamp({ description: 'When the flag should have been removed from the code, UTC' }),
  managed_by: Type.String({
    minLength: 1,
    maxLength: MANAGED_BY_MAX_LENGTH,
    description: 'The name of the configuration that manages the flag',
  }),
  links: Type.Array(Link, { maxItems: FLAG_LINKS_MAX, description: 'Pages about the flag' }),
  client_visible: Type.Literal(false, {
    description:
      'False keeps the flag from client keys, unless a visible flag needs it as a prerequisite; true, the default, is never shown',
  }),
}

export type FlagExtensionName = keyof typeof flagExtensions

/** The names of the fields, in the order of docs/reference/flags.md. */
export const FLAG_EXTENSIONS = Object.keys(flagExtensions) as FlagExtensionName[]

/** The fields of a flag in responses: absent where they are not set. */
export const optionalExtensions = {
  rollout_thousandths: Type.Optional(flagExtensions.rollout_thousandths),
  bucket_by: Type.Optional(flagExtensions.bucket_by),
  rollout_salt: Type.Optional(flagExtensions.rollout_salt),
  variant_salt: Type.Optional(flagExtensions.variant_salt),
  hash: Type.Optional(flagExtensions.hash),
  variant_names: Type.Optional(flagExtensions.variant_names),
  metadata: Type.Optional(flagExtensions.metadata),
  value_schema: Type.Optional(flagExtensions.value_schema),
  lifetime: Type.Optional(flagExtensions.lifetime),
  expires_at: Type.Optional(flagExtensions.expires_at),
  managed_by: Type.Optional(flagExtensions.managed_by),
  links: Type.Optional(flagExtensions.links),
  client_visible: Type.Optional(flagExtensions.client_visible),
}

const FlagExtensions = Type.Object(optionalExtensions)
export type FlagExtensions = Static<typeof FlagExtensions>

/** The fields of a flag in writes. */
export const writableExtensions = {
  rollout_thousandths: Type.Optional(Nullable(flagExtensions.rollout_thousandths)),
  bucket_by: Type.Optional(Nullable(flagExtensions.bucket_by)),
  rollout_salt: Type.Optional(Nullable(flagExtensions.rollout_salt)),
  variant_salt: Type.Optional(Nullable(flagExtensions.variant_salt)),
  hash: Type.Optional(Nullable(bucketing.hashInput)),
  variant_names: Type.Optional(Nullable(flagExtensions.variant_names)),
  metadata: Type.Optional(
    Nullable(
      Type.Record(Name, Nullable(MetadataValue), {
        description: 'Facts for programs, delivered with the flag; null removes one',
      }),
    ),
  ),
  value_schema: Type.Optional(Nullable(flagExtensions.value_schema)),
  lifetime: Type.Optional(
    Nullable(Type.Enum(['temporary', 'permanent'], { description: 'Whether the flag is meant to stay' })),
  ),
  expires_at: Type.Optional(Nullable(flagExtensions.expires_at)),
  managed_by: Type.Optional(Nullable(flagExtensions.managed_by)),
  links: Type.Optional(Nullable(flagExtensions.links)),
  client_visible: Type.Optional(
    Nullable(
      Type.Boolean({ description: 'False keeps the flag from client keys, unless a visible flag needs it' }),
    ),
  ),
}
