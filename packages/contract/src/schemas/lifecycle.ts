import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import {
  REFERENCE_LINE_MAX,
  REFERENCE_NAME_MAX_LENGTH,
  REFERENCE_PATH_MAX_LENGTH,
  REFERENCE_TEXT_MAX_LENGTH,
  REFERENCES_MAX,
  URL_TEMPLATE_MAX_LENGTH,
} from '../limits.ts'
import { anyJson, key, Nullable, timestamp, uuid } from './common.ts'
import { ListedFlag } from './flag.ts'
import { behaviourFields } from './flag-comparison.ts'

/** The kinds of evidence for and against the removal of a flag. */
export const STALE_CODES = [
  'constant_proved',
  'constant_seen',
  'not_evaluated',
  'expired',
  'unchanged',
  'permanent',
] as const
export const STALE_VERDICTS = ['remove', 'ask', 'keep'] as const
export const DEPENDANT_KINDS = [
  'flag',
  'experiment',
  'scheduled_change',
  'change_request',
  'invariant',
] as const

const Evidence = Type.Object({
  code: Type.Enum([...STALE_CODES], { description: 'The kind of evidence' }),
  environment_id: Type.Optional(uuid({ description: 'The environment that it is about' })),
  since: Type.Optional(timestamp({ description: 'Since when it holds, UTC' })),
  text: Type.String({ description: 'The evidence in words' }),
})
const Dependant = Type.Object({
  kind: Type.Enum([...DEPENDANT_KINDS], { description: 'The kind of thing that needs the flag' }),
  key: Type.String({ description: 'Its key or id' }),
})

const assessment = {
  flag_key: key({ description: 'The flag' }),
  verdict: Type.Enum([...STALE_VERDICTS], {
    description:
      '`remove` where every user gets the same value or no program evaluates it, and nothing needs it; `ask` where a person has to decide; `keep` otherwise',
  }),
  keep_value: Type.Optional(
    anyJson({ description: 'The value that replaces the flag in code; null for the default in the code' }),
  ),
  evidence: Type.Array(Evidence, { description: 'What is known' }),
  dependants: Type.Array(Dependant, { description: 'What has to be changed before' }),
}

const STALE = {
  flag_key: 'new-checkout',
  verdict: 'remove',
  keep_value: true,
  evidence: [
    {
      code: 'constant_proved',
      environment_id: EXAMPLE_SHOP.productionId,
      since: '2026-01-02T08:00:00.000Z',
      text: 'Production: every user gets true',
    },
  ],
  dependants: [],
} as const

/** A flag with evidence that it may be removed. */
export const StaleFlag = Type.Object(assessment, { examples: [{ ...STALE, evidence: [...STALE.evidence] }] })
export type StaleFlag = Static<typeof StaleFlag>

const text = Type.String({ maxLength: REFERENCE_TEXT_MAX_LENGTH, description: 'The line of code' })
const path = Type.String({
  minLength: 1,
  maxLength: REFERENCE_PATH_MAX_LENGTH,
  description: 'The path of the file in the repository',
})
const line = Type.Integer({ minimum: 1, maximum: REFERENCE_LINE_MAX, description: 'The line, from 1' })
const name = (description: string) =>
  Type.String({ minLength: 1, maxLength: REFERENCE_NAME_MAX_LENGTH, pattern: '\\S', description })
const url_template = Type.String({
  maxLength: URL_TEMPLATE_MAX_LENGTH,
  pattern: '^https?://',
  description: 'The address of a line, with `{commit}`, `{path}` and `{line}`',
})

const UPLOAD = {
  commit: '4dac9cdd',
  branch: 'main',
  url_template: 'https://git.example.com/shop/blob/{commit}/{path}#L{line}',
  references: [{ flag_key: 'new-checkout', path: 'src/pay.ts', line: 12, text: "isEnabled('new-checkout')" }],
}

/** The places where the code of a repository names flags. */
export const ReferencesInput = Type.Object(
  {
    commit: name('The commit that was read'),
    branch: name('Its branch'),
    url_template: Type.Optional(Nullable(url_template)),
    references: Type.Array(
      Type.Object({ flag_key: key({ description: 'The flag that is named' }), path, line, text }),
      { maxItems: REFERENCES_MAX, description: 'Every place; those of before are replaced' },
    ),
  },
  { examples: [UPLOAD] },
)
export type ReferencesInput = Static<typeof ReferencesInput>

export const StoredReferences = Type.Object(
  {
    repo: Type.String({ description: 'The name of the repository' }),
    references: Type.Integer({ description: 'The number of places that are stored' }),
  },
  { examples: [{ repo: 'shop', references: 1 }] },
)

const Reference = Type.Object({
  repo: Type.String({ description: 'The repository' }),
  commit: Type.String({ description: 'The commit that was read' }),
  path: Type.String({ description: 'The file' }),
  line: Type.Integer({ description: 'The line' }),
  text: Type.String({ description: 'The line of code' }),
  url: Nullable(Type.String({ description: 'The address of the line; null without a template' })),
})
const references = Type.Array(Reference, { description: 'The first 200 places in code' })

const InEnvironment = Type.Object({
  environment_id: uuid({ description: 'The environment' }),
  name: Type.String({ description: 'Its name' }),
  is_default: Type.Boolean({ description: 'Whether it is the default environment' }),
  flag: Nullable(ListedFlag),
  differs_in: Type.Array(Type.String(), {
    description: 'The fields that differ from the default environment; empty there, and without the flag',
  }),
  ...behaviourFields(
    'Beside the default environment, which is the source of the example. Absent there, and where programs do not have the flag in both. Whether',
  ),
  impressions: Type.Integer({ description: 'Reported evaluations of 7 days' }),
  values: Type.Array(
    Type.Object({
      value: Type.String({ description: 'The value as it is reported' }),
      impressions: Type.Integer({ description: 'Its evaluations' }),
    }),
    { description: 'The 10 most frequent values of those' },
  ),
  pending_requests: Type.Integer({ description: 'Change requests that wait' }),
  scheduled_changes: Type.Integer({ description: 'Scheduled changes that wait' }),
})

/** A flag in all environments that the caller may read. */
export const ProjectFlag = Type.Object(
  {
    ...assessment,
    environments: Type.Array(InEnvironment, { description: 'In the order of the project' }),
    references,
  },
  {
    examples: [
      {
        ...{ ...STALE, evidence: [...STALE.evidence], references: [] },
        environments: [
          {
            environment_id: EXAMPLE_SHOP.productionId,
            name: 'Production',
            is_default: true,
            flag: EXAMPLE_SHOP.listedFlag,
            differs_in: [],
            impressions: 1204,
            values: [{ value: 'true', impressions: 1204 }],
            pending_requests: 0,
            scheduled_changes: 0,
          },
        ],
      },
    ],
  },
)
export type ProjectFlag = Static<typeof ProjectFlag>

/** The steps in which a flag is removed. */
export const CleanupPlan = Type.Object(
  {
    ...assessment,
    references,
    steps: Type.Array(Type.String(), { description: 'The steps in their order' }),
  },
  {
    examples: [
      {
        ...{ ...STALE, evidence: [...STALE.evidence], references: [] },
        steps: ['Replace the flag in code by true.', 'Deploy.', 'Archive the flag.'],
      },
    ],
  },
)
export type CleanupPlan = Static<typeof CleanupPlan>
