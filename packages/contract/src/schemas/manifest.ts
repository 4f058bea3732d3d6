import { type Static, Type } from 'typebox'
import { anyJson, key, Nullable, timestamp } from './common.ts'

const ENTRY = {
  key: 'new-checkout',
  name: 'new-checkout',
  type: 'boolean',
  description: 'Sells in one step',
  defaultValue: false,
} as const

const fields = {
  key: key({ description: 'The key of the flag' }),
  name: Type.Optional(
    Type.String({ maxLength: 1_000, description: 'A name; flags here have none, so the key' }),
  ),
  type: Type.Enum(['boolean', 'string', 'integer', 'float', 'object'], {
    description: 'The type of the values. A `json` flag of numbers is a `float`, any other an `object`',
  }),
  description: Type.Optional(Nullable(Type.String({ description: 'The purpose of the flag' }))),
}
const defaultValue = anyJson({
  description: 'The value of an evaluation that fails: `disabled_value`, or else the zero of the type',
})

/** A flag as the API of OpenFeature's command line has it. */
export const ManifestEntry = Type.Object({ ...fields, defaultValue }, { examples: [ENTRY] })

export type ManifestEntry = Static<typeof ManifestEntry>

/** The flags of an environment that are not archived. */
export const ManifestFlags = Type.Object(
  { flags: Type.Array(ManifestEntry, { description: 'In the order of their keys' }) },
  { examples: [{ flags: [ENTRY] }] },
)

/** The changes of a flag, whose type stays. */
export const ManifestPatch = Type.Object(
  { ...fields, defaultValue: Type.Optional(defaultValue) },
  { examples: [{ key: 'new-checkout', type: 'boolean', description: 'Sells in two steps' }] },
)
export type ManifestPatch = Static<typeof ManifestPatch>

/** A flag after a write. */
export const WrittenManifestEntry = Type.Object(
  { flag: ManifestEntry, updatedAt: timestamp({ description: 'When it was changed last, UTC' }) },
  { examples: [{ flag: ENTRY, updatedAt: '2026-02-20T20:01:38.123Z' }] },
)

export const ManifestArchived = Type.Object(
  {
    message: Type.String({ description: 'What was done' }),
    archivedAt: timestamp({ description: 'When it was archived, UTC' }),
  },
  {
    examples: [
      {
        message: 'Flag "new-checkout" archived. Unarchive it in the dashboard if it is needed again.',
        archivedAt: '2026-02-20T20:01:38.123Z',
      },
    ],
  },
)

export const MANIFEST_FAILURE_EXAMPLE = {
  error: {
    message: 'There is a flag "new-checkout" already.',
    status: 409,
    details: [{ field: 'key', message: 'is in use' }],
  },
}

/** An error in the form of that API. */
export const ManifestFailure = Type.Object(
  {
    error: Type.Object(
      {
        message: Type.String({ description: 'The problem and what to do' }),
        status: Type.Integer({ description: 'The status of the response' }),
        details: Type.Optional(
          Type.Array(
            Type.Object({
              field: Type.String({ description: 'The field' }),
              message: Type.String({ description: 'The problem' }),
            }),
            { description: 'The fields that are invalid' },
          ),
        ),
      },
      { description: 'The error' },
    ),
  },
  { examples: [MANIFEST_FAILURE_EXAMPLE] },
)
