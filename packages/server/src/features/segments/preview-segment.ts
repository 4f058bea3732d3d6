import {
  type Flag,
  SEGMENT_PREVIEW_CHANGES_MAX_BYTES,
  SEGMENT_PREVIEW_FLAGS_MAX,
  type Segment,
  type SegmentPatch,
  type SegmentPreview,
} from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'
import type { Kysely } from 'kysely'
import { diffJson } from '../../kernel/diff-json.ts'
import { conflict, invalid, notFound } from '../../kernel/refusal.ts'
import type { Database } from '../../platform/db/tables.ts'
import { shareTurn } from '../../platform/turns.ts'
import { listFlagsNamingSegments } from '../flags/index.ts'
import { expandRules, readSegmentRules, renameSegment, type SegmentRules } from '../rules/index.ts'
import { dependsOn, type SegmentEdit } from './change-segment.ts'
import { patchContent } from './patch-segment.ts'
import { findSegment } from './queries.ts'
import { findSegmentWarnings } from './segment-warnings.ts'
import { validateSegment } from './validate-segment.ts'

interface PreviewInput {
  readonly environment_id: string
  readonly key: string
  /** Null for a deletion. */
  readonly patch: SegmentPatch | null
}

type Content = Pick<Segment, 'name' | 'key' | 'description' | 'rules'>

/**
 * Previews the effects of a write of a segment on the flags that depend on it. Reads one database snapshot
 * and locks nothing. Refuses what the write would refuse.
 */
export async function previewSegment(db: Kysely<Database>, input: PreviewInput): Promise<SegmentPreview> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((tx) => preview(tx, input))
}

async function preview(
  tx: Kysely<Database>,
  { environment_id, key, patch }: PreviewInput,
): Promise<SegmentPreview> {
  const stored = await findSegment(tx, environment_id, key)
  if (!stored && patch === null) throw notFound('segment')
  const before = stored ? contentOf(stored) : null
  const after = patch && patchedContent(before, key, patch)
  if (after) validateSegment(after)
  const edit = toEdit(await readSegmentRules(tx, environment_id), before, after)
  const dependents: Flag[] = []
  const flags: SegmentPreview['flags'] = []
  for (const flag of await listFlagsNamingSegments(tx, environment_id)) {
    await shareTurn()
    const rules = edit.rename ? renameSegment(flag.rules, edit.rename.from, edit.rename.to) : flag.rules
    const current = { ...flag, rules: [...rules] }
    if (flag.archived_at !== null || !dependsOn(current, edit)) continue
    dependents.push(current)
    const changes = changesOf(flag, current, edit)
    if (flags.length < SEGMENT_PREVIEW_FLAGS_MAX) flags.push({ flag_key: flag.key, ...cut(changes) })
  }
  const warnings = after ? findSegmentWarnings(after, edit.after, dependents) : []
  return { before, after, flag_count: dependents.length, flags, warnings }
}

const contentOf = ({ description, key, name, rules }: Segment): Content => ({ name, key, description, rules })

function patchedContent(before: Content | null, key: string, patch: SegmentPatch): Content {
  if (before) return patchContent(before, patch)
  if (patch.name === undefined) throw invalid([{ path: '/patch/name', message: 'is required' }])
  return patchContent({ name: patch.name, key, description: null, rules: [] }, patch)
}

function toEdit(rules: SegmentRules, before: Content | null, after: Content | null): SegmentEdit {
  const rename = before && after && before.key !== after.key ? { from: before.key, to: after.key } : null
  if (after && after.key !== before?.key && rules.has(after.key))
    throw conflict(`There is a segment "${after.key}" already.`)
  const changed = new Map(
    rename
      ? [...rules].map(([key, each]) => [key, renameSegment(each, rename.from, rename.to)] as const)
      : rules,
  )
  if (before) changed.delete(before.key)
  if (after) changed.set(after.key, rename ? renameSegment(after.rules, rename.from, rename.to) : after.rules)
  const keys = new Set([before?.key, after?.key].filter((key) => key !== undefined))
  return { keys, rename, before: rules, after: changed }
}

/**
 * Returns the differences in the expanded rules. Refuses with `invalid` when they exceed the bounds of a
 * flag.
 */
function changesOf(flag: Flag, current: Flag, edit: SegmentEdit) {
  const was = expandRules(flag.rules, edit.before, flag.flag_type)
  const willBe = expandRules(current.rules, edit.after, flag.flag_type)
  // Rules are JSON values: the database stores them as JSON.
  return diffJson({ rules: was as unknown as JsonValue }, { rules: willBe as unknown as JsonValue })
}

function cut(
  changes: ReturnType<typeof diffJson>,
): Pick<SegmentPreview['flags'][number], 'changes' | 'is_cut'> {
  let bytes = 0
  const shown = changes.filter((change) => {
    bytes += JSON.stringify(change).length
    return bytes <= SEGMENT_PREVIEW_CHANGES_MAX_BYTES
  })
  return { changes: shown, is_cut: shown.length < changes.length }
}
