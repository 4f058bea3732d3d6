import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import { CreatedAt, integerId, Nullable, name, timestamp, uuid } from './common.ts'

/**
 * The kind of an SDK key. `server` keys have the rights of an admin in their environment; other keys read
 * flags and report.
 */
export const SdkKeyKind = Type.Enum(['server', 'reader', 'client'], {
  description:
    '`server`, the default, has all rights in its environment; `reader` is for back ends and only reads flags and reports; `client` is for browsers: it has the same rights, and receives flags without `description`, `owner_email` and `tags`, and none with `client_visible: false` that no visible flag needs',
})

const fields = {
  id: integerId({ description: 'Names the key in paths', readOnly: true }),
  name: Type.String(),
  prefix: Type.String({ description: 'Preview of the key, ends with an ellipsis', readOnly: true }),
  kind: SdkKeyKind,
  parent_id: Nullable(
    integerId({
      description:
        'The key that it was created with, which may have been revoked since; null when a person created it, or the project',
      readOnly: true,
    }),
  ),
  environment_id: uuid({ description: 'The one environment of the key' }),
  environment_name: Type.String({ description: "The environment's current name", readOnly: true }),
  created_at: CreatedAt,
}

/** A key with its use, as the list shows it. */
export const SdkKey = Type.Object(
  {
    ...fields,
    last_used_at: Nullable(
      timestamp({
        description:
          'The time of its last request or the end of its last stream, UTC, to the minute; null before the first',
        readOnly: true,
      }),
    ),
    streams: Type.Integer({
      description: 'The open streams of SDKs with this key over all instances',
      readOnly: true,
    }),
  },
  { examples: [{ ...EXAMPLE_SHOP.sdk_key, last_used_at: EXAMPLE_SHOP.changedAt, streams: 2 }] },
)
export type SdkKey = Static<typeof SdkKey>

/** The created key. No other response contains its full value. */
export const CreatedSdkKey = Type.Object(
  {
    ...fields,
    key: Type.String({
      description: 'The full key, shown only here; only its hash is stored',
      readOnly: true,
    }),
  },
  { examples: [{ ...EXAMPLE_SHOP.sdk_key, key: EXAMPLE_SHOP.sdkKeySecret }] },
)
export type CreatedSdkKey = Static<typeof CreatedSdkKey>

export const SdkKeyInput = Type.Object(
  {
    name: name({ description: 'The name of the key, also in the audit log' }),
    environment_id: uuid({ description: 'An environment of the project' }),
    kind: Type.Optional(SdkKeyKind),
  },
  {
    examples: [
      { name: EXAMPLE_SHOP.sdk_key.name, environment_id: EXAMPLE_SHOP.productionId, kind: 'reader' },
    ],
  },
)
export type SdkKeyInput = Static<typeof SdkKeyInput>
