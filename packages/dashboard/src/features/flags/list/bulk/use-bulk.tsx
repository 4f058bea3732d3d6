import type { BulkInput, BulkResult, Flag } from '@burgee/contract'
import { notifications } from '@mantine/notifications'
import { notifyManager, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { forgetFlag, storeFlag } from '../../../../parts/flag-writes/flag-write.ts'
import { send } from '../../../../shared/api/call.ts'
import { commentRequest } from '../../../../shared/comments/comment-request.ts'
import type { CommentedEnvironment } from '../../../../shared/comments/use-comment.tsx'
import { requestOverride } from '../../../../shared/overrides/override-request.ts'
import type { Scope } from '../../../../shared/scope/use-scope.ts'
import { countOf } from '../../../../shared/ui/count-of.ts'
import { AnchorLink } from '../../../../shared/ui/links.tsx'
import { notifySuccess } from '../../../../shared/ui/notify.tsx'
import { BULK_LABELS } from './bulk-labels.ts'
import { type BulkReport, overrideBlocked, runBulk } from './run-bulk.ts'
import { undoBulk } from './undo-bulk.ts'

/** An action that is under way. */
export interface BulkRun {
  readonly action: BulkInput['action']
  readonly total: number
  readonly finished: number
}

export interface FinishedBulk {
  readonly action: BulkInput['action']
  readonly report: BulkReport
  /** Takes back what was done; null where that is nothing, or not safe. */
  readonly onUndo: (() => void) | null
}

type BulkScope = Pick<Scope, 'project_id' | 'environment_id' | 'environment'>

/**
 * Runs bulk actions, one at a time, and reports their outcome. `problem` is the last one that was not done in
 * full.
 */
export function useBulk({ project_id, environment_id, environment }: BulkScope) {
  const client = useQueryClient()
  const [run, setRun] = useState<BulkRun | null>(null)
  const [problem, setProblem] = useState<FinishedBulk | null>(null)
  const abort = useRef(new AbortController())
  const isLeft = useRef(false)
  const turn = useRef<Promise<unknown>>(Promise.resolve())
  // A page that is left starts no further part.
  useEffect(() => {
    isLeft.current = false
    return () => {
      isLeft.current = true
      abort.current.abort()
    }
  }, [])

  const store = (results: BulkResult['results'], action: BulkInput['action']) =>
    notifyManager.batch(() => {
      for (const { key, status, flag } of results) {
        if (flag) {
          const { warnings: _, ...stored } = flag
          storeFlag(client, environment_id, stored)
        } else if (action === 'delete' && status === 204) forgetFlag(client, environment_id, key)
      }
    })

  const performNow = async (input: BulkInput, overrideReason?: string): Promise<BulkReport> => {
    abort.current = new AbortController()
    const { action, keys } = input
    setRun({ action, total: keys.length, finished: 0 })
    const report = await runBulk({
      input,
      send: async (part) => {
        const input = { params: { env_id: environment_id }, body: part }
        return (await send('changeFlagsInBulk', input, { overrideReason })).body
      },
      onPart: (results, finished) => {
        store(results, action)
        setRun({ action, total: keys.length, finished })
      },
      signal: abort.current.signal,
    })
    setRun(null)
    return report
  }

  /** An undo that is requested while another action is under way waits for it. */
  const perform = (input: BulkInput, overrideReason?: string): Promise<BulkReport> => {
    const report = turn.current.then(() => performNow(input, overrideReason))
    turn.current = report
    return report
  }

  const start = async (action: BulkInput, before: readonly Flag[]): Promise<void> => {
    const input = await withRequiredComment(action, environment)
    if (input === null) return
    const report = await overrideBlocked(await perform(input), {
      ask: (violations) => requestOverride(violations, environment_id),
      perform: (keys, reason) => perform({ ...input, keys }, reason),
    })
    const { done, refused, untouched, waiting } = report
    if (waiting.length > 0) describeWaiting(waiting.length, { project_id, environment_id })
    const undo = undoBulk(input, before, done)
    const onUndo = undo.length > 0 ? () => void takeBack(undo) : null
    if (refused.length + untouched.length > 0) {
      const finished = { action: input.action, report, onUndo }
      return isLeft.current ? describeUnfinished(finished) : setProblem(finished)
    }
    if (done.length === 0) return
    notifySuccess({
      message: `${BULK_LABELS[input.action].done} ${countOf(done.length, 'flag')}`,
      ...(onUndo && { onUndo }),
    })
  }

  const takeBack = async (undo: readonly BulkInput[]): Promise<void> => {
    for (const input of undo) await start(input, [])
  }

  return { run, problem, start, stop: () => abort.current.abort(), closeProblem: () => setProblem(null) }
}

/** Opens a prompt for the comment of an undo, which has no dialog for it. Null: it is not to be done. */
async function withRequiredComment(
  input: BulkInput,
  environment: CommentedEnvironment | undefined,
): Promise<BulkInput | null> {
  if (!environment?.require_comment || input.comment) return input
  const comment = await commentRequest.request(`Each change in ${environment.name} needs a comment.`)
  return comment === null ? null : { ...input, comment }
}

/** The report for a page that was left meanwhile: a toast instead of a dialog. */
function describeUnfinished({ action, report: { done, refused, untouched } }: FinishedBulk): void {
  const [first] = refused
  notifications.show({
    color: 'red',
    title: 'Not everything was done',
    autoClose: false,
    message: [
      `${BULK_LABELS[action].done} ${countOf(done.length, 'flag')}.`,
      first &&
        `${countOf(refused.length, 'flag')} could not be changed, such as ${first.key}: ${first.reason}`,
      untouched.length > 0 && `The page was left before the other ${countOf(untouched.length, 'flag')}.`,
    ]
      .filter(Boolean)
      .join(' '),
  })
}

function describeWaiting(amount: number, scope: { project_id: string; environment_id: string }): void {
  notifications.show({
    color: 'yellow',
    title: 'Waiting for approval',
    autoClose: 10_000,
    message: (
      <>
        {countOf(amount, 'flag')} will change when someone else approves it.{' '}
        <AnchorLink
          size="sm"
          to="/projects/$project_id/environments/$environment_id/change-requests"
          params={scope}
        >
          See the change requests
        </AnchorLink>
      </>
    ),
  })
}
