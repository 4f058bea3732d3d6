import type { SegmentDraft } from '../../drafts.ts'
import { orGap } from '../../gap.ts'
import { type JsonObject, listOf, numberOf, objectsOf, textOf, textsOf } from '../../reading.ts'
import { FlagNotes, type Note } from '../../report.ts'
import { attributeOf, clausesOf } from './ld-clauses.ts'

/** Translates a segment: its lists of keys, and its rules with their shares. */
export function segmentOf(segment: JsonObject): {
  readonly draft: SegmentDraft
  readonly notes: readonly Note[]
} {
  const key = textOf(segment.key) ?? ''
  const notes = new FlagNotes()
  const path = `/segments/${key}`
  if (segment.unbounded === true)
    notes.remark('big_segment', path, 'It is a big segment, whose keys are not in the file. It stays empty.')
  if (listOf(segment.includedContexts).length + listOf(segment.excludedContexts).length > 0)
    notes.remark('context_kind', path, 'It lists contexts of other kinds than user. They are left out.')
  const rules = objectsOf(segment.rules).flatMap((rule, index) => {
    const place = `${path}/rules/${index}`
    const translated = orGap(
      () => ({ when: clausesOf(rule, notes, place), ...shareOf(rule, segment, { notes, path: place }) }),
      ({ code, message }) => notes.remark(code, place, `The rule is left out. ${message}`),
    )
    return translated ? [translated] : []
  })
  const [flaw] = notes.notes
  return {
    draft: {
      key,
      name: textOf(segment.name) ?? key,
      description: textOf(segment.description),
      included: textsOf(segment.included),
      excluded: textsOf(segment.excluded),
      rules,
      ...(flaw && { flaw: { code: flaw.code, message: `Of the segment ${key}: ${flaw.message}` } }),
    },
    notes: notes.notes,
  }
}

/** A rule of a segment may hold only for a share, which is divided by the key and salt of the segment. */
function shareOf(
  rule: JsonObject,
  { key, salt }: JsonObject,
  place: { readonly notes: FlagNotes; readonly path: string },
) {
  const thousandths = numberOf(rule.weight)
  if (thousandths === null) return {}
  const attribute = attributeOf(rule.bucketBy ?? 'key', rule.rolloutContextKind, place)
  const division = {
    hash: 'launchdarkly' as const,
    salt: `${textOf(key) ?? ''}.${textOf(salt) ?? ''}.`,
    ...(attribute !== '$user_key' && { bucketBy: attribute }),
  }
  return { share: { ...division, thousandths: Math.round(Math.min(Math.max(thousandths, 0), 100_000)) } }
}
