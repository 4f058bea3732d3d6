import { useQueryClient } from '@tanstack/react-query'
import { announceOutcome } from '../../../parts/flag-writes/announce-outcome.tsx'
import { type FlagOutcome, settleFlagWrite } from '../../../parts/flag-writes/flag-write.ts'
import { usePatchFlag } from '../../../parts/flag-writes/use-patch-flag.ts'
import { ApiError, hasStatus } from '../../../shared/api/api-error.ts'
import { type Explained, send } from '../../../shared/api/call.ts'
import { refresh } from '../../../shared/api/queries.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { notifyFailure } from '../../../shared/ui/notify.tsx'
import { draftOf, patchOf, setFields } from './draft.ts'
import type { FlagDraft } from './use-flag-draft.ts'

export type SaveResult = 'saved' | 'asked' | 'conflict'

/** Saves the draft of a flag. Rejects if the server refuses for another reason than someone else's change. */
export function useSaveFlag(editor: FlagDraft): (options: Explained) => Promise<SaveResult> {
  const { project_id, environment_id } = useScope()
  const client = useQueryClient()
  const patchFlag = usePatchFlag(environment_id)
  const { base, draft, after } = editor

  const write = async (options: Explained): Promise<FlagOutcome> => {
    const patch = patchOf(base, draft)
    if (patch !== null) return patchFlag(base.key, patch, { ifMatch: base.revision, ...options })
    const input = {
      params: { env_id: environment_id },
      body: { key: base.key, ...setFields(draftOf(after)) },
    }
    const reply = await send('putFlag', input, { ifMatch: base.revision, ...options })
    return settleFlagWrite(client, environment_id, reply)
  }

  const announce = (outcome: FlagOutcome) => {
    const undo = outcome.kind === 'done' ? patchOf(outcome.flag, draftOf(base)) : null
    announceOutcome(outcome, {
      done: `${base.key} is saved`,
      project_id,
      environment_id,
      ...(undo !== null &&
        outcome.kind === 'done' && {
          onUndo: () =>
            void patchFlag(base.key, undo, { ifMatch: outcome.flag.revision }).catch((error: unknown) =>
              notifyFailure('The change was not undone', error),
            ),
        }),
    })
  }

  return async (options) => {
    editor.setSaving(true)
    try {
      const outcome = await write(options)
      editor.settle(outcome.kind === 'done' ? outcome.flag : base)
      announce(outcome)
      return outcome.kind === 'done' ? 'saved' : 'asked'
    } catch (error) {
      editor.setSaving(false)
      if (error instanceof ApiError) editor.showProblems(error.details)
      if (!hasStatus(error, 412)) throw error
      await refresh(client, 'getFlag')
      return 'conflict'
    }
  }
}
