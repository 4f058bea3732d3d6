import { type Static, Type } from 'typebox'
import { IMPORT_ATTRIBUTES_MAX, IMPORT_FILES_MAX, IMPORT_NAME_MAX_LENGTH } from '../limits.ts'
import { FlagInput } from './flag.ts'
import { SegmentInput } from './segment.ts'

/** The services whose files can be imported. */
export const IMPORT_SYSTEMS = [
  'launchdarkly',
  'unleash',
  'flagd',
  'growthbook',
  'flagsmith',
  'goff',
  'configcat',
] as const
export type ImportSystem = (typeof IMPORT_SYSTEMS)[number]

/** The classes of a translated flag, from the best to the worst. */
export const IMPORT_CLASSES = ['exact', 'moved', 'approximated', 'skipped'] as const
export type ImportClass = (typeof IMPORT_CLASSES)[number]

const system = Type.Enum([...IMPORT_SYSTEMS], { description: 'The service; `goff` is GO Feature Flag' })
const name = (description: string) =>
  Type.String({ minLength: 1, maxLength: IMPORT_NAME_MAX_LENGTH, description })

const ImportFile = Type.Object(
  {
    name: name('Its name; the ending gives the format, otherwise the content does'),
    content: Type.String({ description: 'Its text: JSON, YAML or TOML' }),
  },
  { description: 'A file of the service' },
)

/** Files of another service. */
export const ImportInput = Type.Object(
  {
    system,
    files: Type.Array(ImportFile, {
      minItems: 1,
      maxItems: IMPORT_FILES_MAX,
      description:
        'The files of one import: flags, and segments where the service has them in a file of their own',
    }),
    environment: Type.Optional(
      name('The environment to read where the files have several, or the name of the only one'),
    ),
    attributes: Type.Optional(
      Type.Record(Type.String(), name('The name in Burgee'), {
        maxProperties: IMPORT_ATTRIBUTES_MAX,
        description: 'Attributes of users that have another name in Burgee, from old to new',
      }),
    ),
    partial: Type.Optional(
      Type.Boolean({
        description:
          'True to read pages of a longer list as they are, with the note `partial`. Without it they are refused with the number that is missing',
      }),
    ),
    dry_run: Type.Optional(Type.Literal(true, { description: 'Always so: an import stores nothing' })),
  },
  {
    examples: [
      {
        system: 'flagd',
        files: [
          {
            name: 'flags.json',
            content:
              '{"flags":{"new-checkout":{"state":"ENABLED","variants":{"on":true,"off":false},"defaultVariant":"off"}}}',
          },
        ],
      },
    ],
  },
)
export type ImportInput = Static<typeof ImportInput>

const ImportNote = Type.Object({
  code: Type.String({ description: 'The kind of remark, for programs' }),
  path: Type.String({ description: 'The place inside the flag of the file, as a JSON pointer' }),
  message: Type.String({ description: 'The remark' }),
})

const ImportedFlag = Type.Object(
  {
    key: Type.String({ description: 'The key in the other service' }),
    environment: Type.String({ description: 'The environment in the other service' }),
    class: Type.Enum([...IMPORT_CLASSES], {
      description:
        '`exact`: every user gets what they got. `moved`: the same rules and shares, other users. `approximated`: a note names the difference. `skipped`: the flag is left out',
    }),
    notes: Type.Array(ImportNote, { description: 'The remarks; empty without any' }),
  },
  { description: 'A flag in one environment' },
)

/** The report of an import, and what to apply. */
export const ImportResult = Type.Object(
  {
    system,
    dry_run: Type.Literal(true, { description: 'Always true: nothing was stored' }),
    flags: Type.Array(ImportedFlag, { description: 'The report: one item for each flag and environment' }),
    notes: Type.Array(ImportNote, { description: 'Remarks about segments and whole files' }),
    environments: Type.Array(
      Type.Object({
        environment: Type.String({ description: 'The environment in the other service' }),
        segments: Type.Array(SegmentInput, { description: 'Its segments' }),
        flags: Type.Array(FlagInput, { description: 'Its flags, without those that are skipped' }),
      }),
      { description: 'What to send to `apply`, in parts where there is more than one call takes' },
    ),
    aliases: Type.Record(Type.String(), Type.String(), {
      description: 'The keys of flags that changed, from old to new, for the option `aliases` of the SDK',
    }),
  },
  {
    examples: [
      {
        system: 'flagd',
        dry_run: true,
        flags: [{ key: 'new-checkout', environment: 'production', class: 'exact', notes: [] }],
        notes: [],
        environments: [
          {
            environment: 'production',
            segments: [],
            flags: [{ key: 'new-checkout', is_enabled: true, default_value: false }],
          },
        ],
        aliases: {},
      },
    ],
  },
)
export type ImportResult = Static<typeof ImportResult>
