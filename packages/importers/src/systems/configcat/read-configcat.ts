import type { JsonValue } from '@burgee/evaluation'
import { USER_KEY } from '../../conditions.ts'
import type { FlagDraft, Outcome, RuleDraft, SegmentDraft } from '../../drafts.ts'
import { all, type Expression, inSegment, isSet, not } from '../../expression.ts'
import { type Flaw, Gap, orGap } from '../../gap.ts'
import { isObject, type JsonObject, jsonOf, numberOf, objectOf, objectsOf, textOf } from '../../reading.ts'
import { recognizeFiles } from '../../recognition/recognize-files.ts'
import { FlagNotes } from '../../report.ts'
import { MALFORMED, skippedFlag } from '../../skipped-flag.ts'
import type { ReadSystem } from '../../system.ts'
import { type Approximate, attributeOf, type CcContext, conditionsOf, outsideOf } from './cc-conditions.ts'
import { contentOf } from './cc-versions.ts'

/** The environment of a file that does not name one. */
const UNNAMED = 'production'

/** Reads a config JSON of ConfigCat. Several files are one environment. */
export const readConfigCat: ReadSystem = (files, { environment = UNNAMED }) => {
  const contents = recognizeFiles('configcat', files).map(contentOf)
  const notes = new FlagNotes()
  const parts = contents.map((content) => {
    const segments = objectsOf(content.s).map((segment) => segmentOf(segment, notes))
    const context: Segments = {
      segments: segments.map(({ draft, outside }) => ({ key: draft.key, outside })),
    }
    const flags = Object.entries(objectOf(content.f)).map(([key, setting]) =>
      isObject(setting) ? settingOf(key, setting, context) : skippedFlag(key, MALFORMED),
    )
    return { segments, flags }
  })
  return {
    environments: [
      {
        environment,
        flags: parts.flatMap(({ flags }) => flags),
        segments: parts.flatMap(({ segments }) => segments.map(({ draft }) => draft)),
      },
    ],
    notes: notes.notes,
  }
}

function segmentOf(
  segment: JsonObject,
  notes: FlagNotes,
): { draft: SegmentDraft; outside: (approximate: Approximate) => Expression } {
  const key = textOf(segment.n) ?? 'segment'
  let flaw: Flaw | undefined
  const note = (code: string, message: string) => {
    flaw = { code, message }
    notes.remark(code, `/segments/${key}`, message)
  }
  const conditions = objectsOf(segment.r)
  const when = orGap(
    () =>
      conditionsOf(
        conditions.map((u) => ({ u })),
        { segments: [], approximate: (code, message) => note(code, `Of the segment ${key}: ${message}`) },
      ),
    ({ code, message }) => note(code, `The segment ${key} matches no one. ${message}`),
  )
  const rules = when ? [{ when }] : []
  return {
    draft: { key, name: key, included: [], excluded: [], rules, ...(flaw && { flaw }) },
    outside: (approximate) => (when ? outsideOf(conditions, approximate) : not(inSegment(key))),
  }
}

const TYPES = ['boolean', 'string', 'integer', 'json'] as const

type Segments = Pick<CcContext, 'segments'>

function settingOf(key: string, setting: JsonObject, { segments }: Segments): FlagDraft {
  const notes = new FlagNotes()
  const type = TYPES[numberOf(setting.t) ?? -1] ?? 'json'
  const bucketBy = attributeOf(textOf(setting.a) ?? 'Identifier')
  const division = { key, bucketBy }
  const rules = objectsOf(setting.r).flatMap((rule, index): readonly RuleDraft[] => {
    const path = `/r/${index}`
    const approximate: Approximate = (code, message) => notes.lower('approximated', { code, path, message })
    const translated = orGap(
      () => ruleOf(rule, division, { segments, approximate }),
      ({ code, message }) =>
        notes.lower(code === 'hashed' ? 'skipped' : 'approximated', {
          ...{ code, path },
          message: code === 'hashed' ? message : `The rule is left out. ${message}`,
        }),
    )
    return translated ? [translated] : []
  })
  const value = settingValueOf(setting.v)
  const split = splitOf(setting.p, division)
  const divided = split && bucketBy !== USER_KEY ? [{ when: isSet(bucketBy), serve: split }] : []
  return {
    ...{ key, type, notes, isEnabled: true, prerequisites: [], disabledValue: null },
    rules: [...rules, ...divided],
    otherwise: {
      serve: split && divided.length === 0 ? { ...split, fallback: value } : { kind: 'value', value },
    },
    ...(type === 'json' && { valueSchema: { type: 'number' } }),
  }
}

interface SettingDivision {
  readonly key: string
  readonly bucketBy: string
}

function ruleOf(rule: JsonObject, division: SettingDivision, context: CcContext): RuleDraft {
  const when = conditionsOf(rule.c, context)
  if (isObject(rule.s)) return { when, serve: { kind: 'value', value: settingValueOf(rule.s.v) } }
  const split = splitOf(rule.p, division)
  if (!split) throw new Gap('malformed', 'It serves nothing.')
  // Without the attribute, the next rule is tried.
  return { when: all([when, isSet(division.bucketBy)]), serve: split }
}

/** Percentage options divide by the key of the setting and the attribute. */
function splitOf(
  options: unknown,
  { bucketBy, key }: SettingDivision,
): Extract<Outcome, { kind: 'split' }> | null {
  const variants = objectsOf(options).map(({ p, v }) => ({
    value: settingValueOf(v),
    weight: Math.max(0, numberOf(p) ?? 0),
  }))
  if (variants.every(({ weight }) => weight === 0)) return null
  const attribute = bucketBy === USER_KEY ? {} : { bucketBy }
  return { kind: 'split', variants, division: { hash: 'configcat', salt: key, ...attribute } }
}

/** A value is a boolean, text, integer or fraction, each in a field of its own. */
function settingValueOf(value: unknown): JsonValue {
  const { b, d, i, s } = objectOf(value)
  return jsonOf(b ?? s ?? i ?? d ?? null)
}
