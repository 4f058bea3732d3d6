import type { Segment, Warning } from '@burgee/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { hasStatus } from '../../shared/api/api-error.ts'
import { type Explained, send } from '../../shared/api/call.ts'
import { endpointKey, refresh } from '../../shared/api/queries.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { notifyFailure, notifySuccess } from '../../shared/ui/notify.tsx'
import { problemsOf } from './problems-of.ts'
import { draftOf, patchOf } from './segment-draft.ts'
import type { EditedSegment } from './use-segment-draft.ts'

interface SaveOptions {
  readonly onClose: () => void
  readonly onProblems: (problems: Readonly<Record<string, string>>) => void
  readonly onSaved: (warnings: readonly Warning[]) => void
}

/** Saves the draft. If someone else saved another version meanwhile, the page shows that one first. */
export function useSaveSegment(
  { base, draft, reset }: EditedSegment,
  { onClose, onProblems, onSaved }: SaveOptions,
) {
  const client = useQueryClient()
  const show = useShowSegment()
  const undo = useUndo()
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const { environment_id: env_id, key } = base

  const save = async (explained: Explained) => {
    setBusy(true)
    setError(null)
    try {
      const input = { params: { env_id, key }, body: patchOf(base, draft) }
      const { body } = await send('patchSegment', input, {
        ...explained,
        ifMatch: base.revision,
        settle: async ({ body: { warnings: _, ...saved } }) => {
          reset(saved)
          await show(saved, key)
        },
      })
      const { warnings = [], ...saved } = body
      onSaved(warnings)
      onClose()
      notifySuccess({ message: `Segment ${saved.key} is saved.`, onUndo: () => void undo(base, saved) })
    } catch (failure) {
      if (hasStatus(failure, 412)) {
        // The page then shows both versions, and the person chooses one.
        await refresh(client, 'getSegment')
        onClose()
        return
      }
      onProblems(problemsOf(failure))
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return { error, isBusy, save }
}

/** Puts a saved segment on the page, under its new address where its key has changed. */
function useShowSegment() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { project_id } = useScope()
  return async (segment: Segment, formerKey: string) => {
    const { environment_id, key } = segment
    const cacheKey = (segment_key: string) =>
      endpointKey('getSegment', { params: { env_id: environment_id, key: segment_key } })
    client.setQueryData(cacheKey(key), segment)
    if (key !== formerKey) {
      await navigate({
        to: '/projects/$project_id/environments/$environment_id/segments/$segment_key',
        params: { project_id, environment_id, segment_key: key },
        replace: true,
        ignoreBlocker: true,
      })
      client.removeQueries({ queryKey: cacheKey(formerKey) })
    }
  }
}

/** Saves the former version again, which sends the flags that use it once more. */
function useUndo() {
  const show = useShowSegment()
  return async (former: Segment, saved: Segment) => {
    try {
      const { environment_id: env_id, key } = saved
      const input = { params: { env_id, key }, body: patchOf(saved, draftOf(former)) }
      await send('patchSegment', input, {
        ifMatch: saved.revision,
        settle: ({ body: { warnings: _, ...segment } }) => show(segment, key),
      })
    } catch (failure) {
      notifyFailure('The change was not undone', failure)
    }
  }
}
