import type { SegmentDraft } from '../../drafts.ts'
import { orGap } from '../../gap.ts'
import { type JsonObject, textOf } from '../../reading.ts'
import { FlagNotes } from '../../report.ts'
import type { ReadSystem } from '../../system.ts'
import { constraintsOf } from './unleash-constraints.ts'
import { featureOf } from './unleash-feature.ts'
import { collectUnleash } from './unleash-files.ts'

/** Reads an Unleash export, the features that its SDKs receive, or a state export. */
export const readUnleash: ReadSystem = (files, { environment, nowMs }) => {
  const { environments, segments } = collectUnleash(files, environment)
  const notes = new FlagNotes()
  notes.remark('utf_16', '', UTF_16)
  const drafts = segmentsOf(segments, { notes, nowMs })
  const segmentKeys = new Map(drafts.map(({ draft, id }) => [id, draft.key]))
  return {
    environments: environments.map((one) => {
      const features = new Map(one.features.map((feature) => [feature.name, feature]))
      return {
        environment: one.environment,
        flags: one.features.map((feature) => featureOf(feature, { features, segmentKeys, nowMs })),
        segments: drafts.map(({ draft }) => draft),
      }
    }),
    notes: notes.notes,
  }
}

const UTF_16 =
  'The JavaScript SDK of Unleash hashes user ids beyond ASCII differently from its other SDKs. Burgee agrees with the others.'

interface Context {
  readonly notes: FlagNotes
  readonly nowMs: number
}

/** Segments that cannot be translated count as missing. */
function segmentsOf(
  segments: ReadonlyMap<number, JsonObject>,
  { notes, nowMs }: Context,
): readonly { readonly id: number; readonly draft: SegmentDraft }[] {
  return [...segments].flatMap(([id, segment]) => {
    const name = textOf(segment.name) ?? `segment-${id}`
    const path = `/segments/${id}`
    const when = orGap(
      () => constraintsOf(segment.constraints, { notes, nowMs, path }),
      ({ code, message }) => notes.remark(code, path, `The segment is left out. ${message}`),
    )
    if (!when) return []
    const description = textOf(segment.description)
    return [{ id, draft: { key: name, name, description, included: [], excluded: [], rules: [{ when }] } }]
  })
}
