import type { EndpointBody, Flag, FlagInput } from '@burgee/contract'
import { isObject, mergePatch, NAME_MAX_LENGTH } from '@burgee/contract'
import { Type } from 'typebox'
import { findWritablePlace, flagKeyInput, placeInput } from '../place.ts'
import { summarizeFlag } from '../summarize-flag.ts'
import { type Tool, ToolError, tool } from '../tool.ts'

const COMMENT_MAX = 500
const existing = {
  ...placeInput,
  flag_key: flagKeyInput,
  revision: Type.Integer({
    minimum: 1,
    description: 'The revision of the flag that was read; a newer one refuses',
  }),
}
const comment = Type.Optional(
  Type.String({ maxLength: COMMENT_MAX, description: 'Why, for the audit log and reviewers' }),
)
const commented = (text: string | undefined) => (text === undefined ? {} : { comment: text })

/** Returns the outcome of a write: applied, or waiting for approval. */
function outcome(written: EndpointBody<'patchFlag'>) {
  if ('status' in written && 'requested_by' in written) {
    const { id, status, warnings = [] } = written
    return { data: { applied: false, change_request: { id, status }, waits_for: 'approval', warnings } }
  }
  const { warnings = [], ...flag } = written as Flag & { warnings?: unknown[] }
  return { data: { applied: true, flag: summarizeFlag(flag, Date.now()), warnings } }
}

/** Returns the fields of a rollout: the API takes fractions of a percent in thousandths. */
function shareOf(percentage: number) {
  if (Number.isInteger(percentage)) return { rollout_percentage: percentage }
  const thousandths = Math.round(percentage * 1_000)
  if (thousandths / 1_000 !== percentage)
    throw new ToolError(
      'The percentage is finer than a thousandth of a percent. Give at most three decimals.',
    )
  return { rollout_thousandths: thousandths }
}

export const WRITE_TOOLS: readonly Tool[] = [
  tool({
    name: 'create_flag',
    title: 'Create a flag',
    description: 'Creates a flag that is off for all users.',
    input: Type.Object({
      ...placeInput,
      flag_key: flagKeyInput,
      flag_type: Type.Optional(
        Type.Enum(['boolean', 'string', 'integer', 'json'], { description: 'boolean' }),
      ),
      default_value: Type.Optional(Type.Unknown({ description: 'The value while it is on' })),
      disabled_value: Type.Optional(Type.Unknown({ description: 'The value while it is off' })),
      description: Type.Optional(Type.String({ maxLength: NAME_MAX_LENGTH, description: 'What it is for' })),
      tags: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 20, description: 'Tags' })),
      comment,
    }),
    access: 'write',
    async run({ comment: why, environment, flag_key, project, ...fields }, context) {
      const { env_id } = await findWritablePlace(context, { environment, project })
      const body = { ...fields, key: flag_key, is_enabled: false, ...commented(why) } as FlagInput
      const headers = { 'if-none-match': '*' }
      return outcome(await context.api.call('putFlag', { params: { env_id }, body }, { headers }))
    },
  }),
  tool({
    name: 'set_enabled',
    title: 'Switch a flag on or off',
    description: 'Switches a flag on or off. It changes nothing else of it.',
    input: Type.Object({ ...existing, is_enabled: Type.Boolean({ description: 'On or off' }), comment }),
    access: 'destructive_write',
    async run({ comment: why, flag_key, is_enabled, revision, ...wanted }, context) {
      const { env_id } = await findWritablePlace(context, wanted)
      const input = { params: { env_id, key: flag_key }, body: { is_enabled, ...commented(why) } }
      return outcome(await context.api.call('patchFlag', input, { ifMatch: revision }))
    },
  }),
  tool({
    name: 'set_rollout',
    title: 'Set the rollout of a flag',
    description: 'Sets the percentage of users who get a flag. It changes nothing else of it.',
    input: Type.Object({
      ...existing,
      rollout_percentage: Type.Number({
        minimum: 0,
        maximum: 100,
        description: 'Percent, with at most three decimals',
      }),
      comment,
    }),
    access: 'destructive_write',
    async run({ comment: why, flag_key, revision, rollout_percentage, ...wanted }, context) {
      const share = shareOf(rollout_percentage)
      const { env_id } = await findWritablePlace(context, wanted)
      const input = { params: { env_id, key: flag_key }, body: { ...share, ...commented(why) } }
      return outcome(await context.api.call('patchFlag', input, { ifMatch: revision }))
    },
  }),
  tool({
    name: 'propose_change',
    title: 'Propose a change of a flag',
    description:
      'Previews a JSON merge patch of a flag with its warnings. With apply it is also made, or becomes a change request.',
    input: Type.Object({
      ...existing,
      patch: Type.Record(Type.String(), Type.Unknown(), { description: 'RFC 7386, fields of the flag' }),
      apply: Type.Optional(Type.Boolean({ description: 'False by default: only the preview' })),
      comment,
    }),
    access: 'destructive_write',
    async run({ apply = false, comment: why, flag_key, patch, revision, ...wanted }, context) {
      const { env_id } = await findWritablePlace(context, wanted)
      const params = { env_id, key: flag_key }
      const flag = await context.api.call('getFlag', { params })
      if (flag.revision !== revision)
        throw new ToolError(`The flag has revision ${flag.revision} now, not ${revision}. Read it again.`)
      if ('key' in patch || 'archived_at' in patch)
        throw new ToolError('A patch changes neither the key nor the archive. Use archive_flag.')
      const { revision: _r, warnings: _w, archived_at: _a, ...fields } = flag
      const merged = mergePatch(fields as never, patch as never)
      if (!isObject(merged)) throw new ToolError('The patch is no object.')
      const preview = await context.api.call('previewFlag', { params: { env_id }, body: merged as never })
      const shown = { changes: preview.changes, warnings: preview.warnings }
      if (!apply) return { data: { applied: false, preview: shown } }
      const input = { params, body: { ...patch, ...commented(why) } as never }
      const written = outcome(await context.api.call('patchFlag', input, { ifMatch: revision }))
      return { data: { ...written.data, preview: shown } }
    },
  }),
  tool({
    name: 'archive_flag',
    title: 'Archive a flag',
    description: 'Archives a flag: programs no longer receive it, and it can be restored.',
    input: Type.Object({ ...existing, comment }),
    access: 'destructive_write',
    async run({ comment: why, flag_key, revision, ...wanted }, context) {
      const { env_id } = await findWritablePlace(context, wanted)
      const input = { params: { env_id, key: flag_key }, body: commented(why) }
      return outcome(await context.api.call('archiveFlag', input, { ifMatch: revision }))
    },
  }),
]
