import type { FlagInput, SegmentInput, TargetingRuleInput } from '@burgee/contract'
import { SEGMENT_KEY_MAX_LENGTH, SEGMENT_KEYS_MAX } from '@burgee/contract'
import { isPartial } from './divide.ts'
import type { EnvironmentDraft, FlagDraft, SegmentDraft } from './drafts.ts'
import { alternativesOf } from './expression.ts'
import { finishFlag, type Names } from './finish-flag.ts'
import { testsOf } from './finish-rules.ts'
import { type Flaw, orGap } from './gap.ts'
import { KeyNames } from './keys.ts'
import { CLASSES, FlagNotes, type FlagReport, type Note } from './report.ts'
import { flawsOf } from './segment-flaws.ts'
import { uniqueFlags } from './unique-flags.ts'
import { noteUnsafeNumbers } from './unsafe-numbers.ts'

/** The content of a file for `burgee apply`, from one environment. */
export interface ImportedEnvironment {
  readonly environment: string
  readonly segments: readonly SegmentInput[]
  readonly flags: readonly FlagInput[]
}

interface Finished {
  readonly imported: ImportedEnvironment
  readonly reports: readonly FlagReport[]
  /** Remarks about segments. */
  readonly notes: readonly Note[]
  /** The keys of flags that changed, from old to new. */
  readonly aliases: ReadonlyMap<string, string>
}

/**
 * Gives the drafts of an environment the form of the API. `unsafe` are numbers of the files beyond 2^53.
 * Flags that are `skipped` are only reported.
 */
export function finishEnvironment(
  { environment, flags: given, segments }: EnvironmentDraft,
  unsafe: ReadonlySet<string>,
): Finished {
  const flags = uniqueFlags(given)
  const notes = new FlagNotes()
  const keys = new KeyNames(segments.map(({ key }) => key))
  const flaws = new Map<string, Flaw>()
  const finishedSegments = segments.map((segment) => finishSegment(segment, { keys, notes, flaws }))
  const names: Names = {
    flags: new KeyNames(flags.map(({ key }) => key)),
    segments: keys,
    findFlaw: flawsOf(segments, flaws),
  }
  const finished = flags.map((draft) => {
    const flag = finishFlag(draft, names)
    noteUnsafeNumbers(flag, unsafe, draft.notes)
    return { draft, flag }
  })
  lowerDependents(flags)
  const written = finished.filter(({ draft }) => draft.notes.class !== 'skipped')
  const reports = finished.map(({ draft: { key, notes } }) => ({
    ...{ key, environment, class: notes.class, notes: notes.notes },
  }))
  return {
    imported: { environment, segments: finishedSegments, flags: written.map(({ flag }) => flag) },
    reports,
    notes: notes.notes,
    aliases: names.flags.changed(),
  }
}

/** A flag is no better than the flags that it needs: what they give decides. */
function lowerDependents(flags: readonly FlagDraft[]): void {
  const byKey = new Map(flags.map((flag) => [flag.key, flag]))
  let isChanged = true
  while (isChanged) {
    isChanged = false
    for (const { notes, prerequisites } of flags) {
      const before = notes.class
      for (const { key } of prerequisites) {
        const needed = byKey.get(key)?.notes.class ?? 'exact'
        if (CLASSES.indexOf(needed) > CLASSES.indexOf(notes.class))
          notes.lower(needed, {
            ...{ code: 'prerequisite_class', path: '/prerequisites' },
            message: `It needs ${key}, which is ${needed}.`,
          })
      }
      isChanged ||= notes.class !== before
    }
  }
}

interface SegmentContext {
  readonly keys: KeyNames
  readonly notes: FlagNotes
  /** The flaws of segments so far, by their keys in the other service. */
  readonly flaws: Map<string, Flaw>
}

function finishSegment(segment: SegmentDraft, { flaws, keys, notes }: SegmentContext): SegmentInput {
  const { description, excluded, included, key, name, rules } = segment
  const path = `/segments/${key}`
  const flawed = (code: string, message: string, place = path) => {
    notes.remark(code, place, message)
    if (!flaws.has(key)) flaws.set(key, { code, message: `Of the segment ${key}: ${message}` })
  }
  if (segment.flaw) flaws.set(key, segment.flaw)
  const finished = rules.flatMap(({ share, when }): TargetingRuleInput[] => {
    if (isPartial(share)) {
      flawed('segment_share', 'A rule for a share of its users is left out: a segment has no shares.')
      return []
    }
    const alternatives = orGap(
      () => alternativesOf(when),
      ({ code, message }) => flawed(code, `A rule of the segment is left out. ${message}`),
    )
    return (alternatives ?? []).map((literals) => testsOf(literals, keys))
  })
  return {
    key: keys.get(key),
    name: name.trim() === '' ? key : name,
    ...(description && { description }),
    rules: finished,
    included_keys: keysOf(included, (message) => flawed('keys_cut', message, `${path}/included_keys`)),
    excluded_keys: keysOf(excluded, (message) => flawed('keys_cut', message, `${path}/excluded_keys`)),
  }
}

function keysOf(keys: readonly string[], onCut: (message: string) => void): string[] {
  const kept = [...new Set(keys)]
    .filter((key) => key.length <= SEGMENT_KEY_MAX_LENGTH)
    .slice(0, SEGMENT_KEYS_MAX)
  if (kept.length < new Set(keys).size)
    onCut(`A list has at most ${SEGMENT_KEYS_MAX} keys of ${SEGMENT_KEY_MAX_LENGTH} characters.`)
  return kept
}
