import type { JsonValue } from '@burgee/evaluation'
import type { FlagDraft } from '../../drafts.ts'
import { orGap } from '../../gap.ts'
import { metadataOf } from '../../metadata-of.ts'
import { isObject, type JsonObject, jsonOf, objectOf, textOf } from '../../reading.ts'
import { recognizeFiles } from '../../recognition/recognize-files.ts'
import { FlagNotes, JAVASCRIPT_DIFFERS } from '../../report.ts'
import { MALFORMED, skippedFlag } from '../../skipped-flag.ts'
import { noFlags, type ReadSystem } from '../../system.ts'
import { typeOf } from '../../type-of.ts'
import { resolveReferences } from './flagd-nodes.ts'
import { rulesOf } from './flagd-outcomes.ts'

/** The environment of a file that does not name one. */
const UNNAMED = 'production'

/** Reads flag definitions of flagd (JSON or YAML). Several files are one environment. */
export const readFlagd: ReadSystem = (files, { environment = UNNAMED }) => {
  const contents = recognizeFiles('flagd', files).map(({ data }) => objectOf(data))
  const evaluators = Object.fromEntries(
    contents.flatMap(({ $evaluators }) => Object.entries(objectOf($evaluators))),
  )
  const flags = contents.flatMap(({ flags, metadata }) =>
    entriesOf(flags).map(([key, flag]) =>
      isObject(flag)
        ? flagOf(key, flag, { evaluators, metadata: objectOf(metadata) })
        : skippedFlag(key, MALFORMED),
    ),
  )
  if (!contents.some(({ flags }) => flags !== undefined)) throw noFlags('flagd')
  return {
    environments: [{ environment, flags, segments: [] }],
    notes: [{ code: 'utf_16', path: '', message: UTF_16 }],
  }
}

/** Flags by key, or a list of flags that name their keys. */
export const entriesOf = (flags: unknown): readonly (readonly [string, unknown])[] =>
  Array.isArray(flags)
    ? flags.map((flag, index) => [textOf(objectOf(flag).key) ?? `flags/${index}`, flag])
    : Object.entries(objectOf(flags))

const UTF_16 =
  'The JavaScript provider of flagd hashes texts beyond ASCII differently from flagd itself. Burgee agrees with flagd.'

interface FileContext {
  readonly evaluators: JsonObject
  readonly metadata: JsonObject
}

function flagOf(key: string, flag: JsonObject, { evaluators, metadata }: FileContext): FlagDraft {
  const notes = new FlagNotes()
  const variants = objectOf(flag.variants)
  const type = typeOf(Object.values(variants))
  const isEnabled = flag.state !== 'DISABLED'
  const defaultName = textOf(flag.defaultVariant)
  const defaultValue =
    defaultName !== null && Object.hasOwn(variants, defaultName) ? jsonOf(variants[defaultName]) : null
  const rules = targetingOf({ key, flag, variants, defaultValue, evaluators }, notes)
  const last = rules.at(-1)
  if (type === 'boolean') checkBoolean({ isEnabled, defaultValue, rules }, notes)
  return {
    ...{ key, type, isEnabled, notes, prerequisites: [] },
    rules: rules.slice(0, -1),
    otherwise: { serve: last?.serve ?? { kind: 'value', value: defaultValue } },
    disabledValue: null,
    variantNames: new Map(Object.entries(variants).map(([name, value]) => [name, jsonOf(value)])),
    ...(isFraction(Object.values(variants)) && { valueSchema: { type: 'number' } }),
    metadata: metadataOf({ ...metadata, ...objectOf(flag.metadata) }),
  }
}

interface Source {
  readonly key: string
  readonly flag: JsonObject
  readonly variants: JsonObject
  readonly defaultValue: JsonValue
  readonly evaluators: JsonObject
}

/** Targeting that cannot be translated whole would serve wrong values: the flag is not written. */
function targetingOf({ defaultValue, evaluators, flag, key, variants }: Source, notes: FlagNotes) {
  const path = '/targeting'
  const { targeting } = flag
  const isEmpty = isObject(targeting) && Object.keys(targeting).length === 0
  if (targeting === undefined || targeting === null || isEmpty) return []
  const approximate = (code: string, message: string) => notes.lower('approximated', { code, path, message })
  const remark = (code: string, message: string) => notes.remark(code, path, message)
  const differ = (message: string) =>
    notes.remark(JAVASCRIPT_DIFFERS, path, `${message} Burgee gives what flagd 0.16 gives.`)
  const context = {
    flagKey: key,
    dialect: 'flagd' as const,
    approximate,
    differ,
    remark,
    variants,
    defaultValue,
  }
  const translated = orGap(
    () => rulesOf(resolveReferences(targeting, evaluators), context),
    ({ code, message }) => notes.lower('skipped', { code, path, message }),
  )
  return translated ?? []
}

function checkBoolean(
  {
    defaultValue,
    isEnabled,
    rules,
  }: Pick<FlagDraft, 'isEnabled' | 'rules'> & { readonly defaultValue: JsonValue },
  notes: FlagNotes,
): void {
  const message = 'There the code decides. In Burgee a boolean flag gives false.'
  if (!isEnabled) notes.lower('approximated', { code: 'code_default', path: '/state', message })
  else if (defaultValue === null)
    notes.lower('approximated', { code: 'code_default', path: '/defaultVariant', message })
  if (rules.some(({ serve }) => serve.kind === 'split'))
    notes.lower('moved', {
      ...{ code: 'boolean_share', path: '/targeting' },
      message:
        'A boolean flag divides users by whole percent: the shares are the same, and other users are in them.',
    })
}

const isFraction = (values: readonly unknown[]) =>
  values.length > 0 &&
  values.every((value) => typeof value === 'number') &&
  !values.every((value) => Number.isSafeInteger(value))
