import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import { Nullable, uuid } from './common.ts'

const HASH = 'a91f0c7be1d2a8cd2f6e4cc0bd7a7b0a6f52d3d80e3b8f5f0f64b6ef4a3d2c10'

export const auditHash = (description: string) =>
  Type.String({ pattern: '^[0-9a-f]{64}$', description, examples: [HASH] })
const chain = Type.String({
  description: 'The id of an environment, or `workspace`',
  examples: ['workspace'],
})

/** The end of a chain of the audit log, and where its stored entries start. */
export const AuditHead = Type.Object(
  {
    chain,
    project_id: Nullable(uuid({ description: 'The project of the environment' })),
    seq: Type.Integer({ description: 'The number of the last entry; 0 without any' }),
    hash: auditHash('The hash of the last entry'),
    base_seq: Type.Integer({
      description: 'The number of the last entry that retention has dropped; 0 when none was',
    }),
    base_hash: auditHash('The hash before the first stored entry'),
    closed: Type.Boolean({ description: 'True when the environment was deleted' }),
  },
  {
    examples: [
      {
        chain: 'workspace',
        project_id: null,
        seq: 4812,
        hash: HASH,
        base_seq: 0,
        base_hash: '0'.repeat(64),
        closed: false,
      },
    ],
  },
)
export type AuditHead = Static<typeof AuditHead>

/** The problems that a verification finds. */
export const AUDIT_PROBLEMS = ['changed', 'missing', 'inserted', 'truncated', 'genesis'] as const
export type AuditProblem = (typeof AUDIT_PROBLEMS)[number]

/** The outcome for one chain. */
export const AuditVerification = Type.Object(
  {
    chain,
    project_id: Nullable(uuid({ description: 'The project of the environment' })),
    entries: Type.Integer({ description: 'The number of entries that were verified' }),
    head: Type.Object(
      {
        seq: Type.Integer({ description: 'The number of the last entry' }),
        hash: auditHash('The hash of the last entry'),
      },
      { description: 'The end of the chain' },
    ),
    ok: Type.Boolean({ description: 'True when every entry fits' }),
    first_bad: Type.Optional(
      Type.Object(
        {
          id: Nullable(Type.Integer({ description: 'Null when no entry is left to name' })),
          seq: Nullable(Type.Integer({ description: 'The number in the chain; null for an entry without' })),
          problem: Type.Enum([...AUDIT_PROBLEMS], { description: 'What does not fit (docs/trust.md)' }),
        },
        { description: 'The first entry that does not fit' },
      ),
    ),
  },
  {
    examples: [
      {
        chain: EXAMPLE_SHOP.placeNames.project.id,
        project_id: EXAMPLE_SHOP.placeNames.project.id,
        entries: 4812,
        head: { seq: 4812, hash: HASH },
        ok: true,
      },
    ],
  },
)
export type AuditVerification = Static<typeof AuditVerification>
