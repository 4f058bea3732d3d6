import type { Flag } from '@burgee/contract'
import { useQueryClient } from '@tanstack/react-query'
import { announceOutcome } from '../../../parts/flag-writes/announce-outcome.tsx'
import { type FlagOutcome, settleFlagWrite } from '../../../parts/flag-writes/flag-write.ts'
import { type CallOptions, send } from '../../../shared/api/call.ts'
import { needsApproval } from '../../../shared/scope/needs-approval.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { confirm } from '../../../shared/ui/confirm.tsx'
import { notifyFailure } from '../../../shared/ui/notify.tsx'
import { ArchivalEffect } from './archival-effect.tsx'

/** Takes a flag out of use and back; both can be undone. */
export function useArchive(flag: Flag): { readonly archive: () => void; readonly unarchive: () => void } {
  const client = useQueryClient()
  const { project_id, environment_id, environment } = useScope()
  const run = async (
    name: 'archiveFlag' | 'unarchiveFlag',
    options: Pick<CallOptions, 'comment' | 'ifMatch'>,
  ): Promise<FlagOutcome> => {
    const input = { params: { env_id: environment_id, key: flag.key } }
    return settleFlagWrite(client, environment_id, await send(name, input, options))
  }
  const perform = async (
    name: 'archiveFlag' | 'unarchiveFlag',
    { comment, done }: { readonly comment?: string | undefined; readonly done: string },
  ): Promise<void> => {
    const outcome = await run(name, { ifMatch: flag.revision, comment })
    const opposite = name === 'archiveFlag' ? 'unarchiveFlag' : 'archiveFlag'
    const takeBack = () => {
      if (outcome.kind === 'asked') return
      run(opposite, { ifMatch: outcome.flag.revision }).catch((error: unknown) =>
        notifyFailure('That was not taken back', error),
      )
    }
    announceOutcome(outcome, { done, project_id, environment_id, onUndo: takeBack })
  }
  return {
    archive: () =>
      confirm({
        title: `Archive ${flag.key}`,
        children: environment && (
          <ArchivalEffect flag={flag} environment={environment} project_id={project_id} />
        ),
        confirmLabel: needsApproval(environment) ? 'Ask for approval' : 'Archive flag',
        tone: 'calm',
        commentIn: environment,
        onConfirm: (comment) => perform('archiveFlag', { comment, done: `${flag.key} is archived` }),
      }),
    unarchive: () => {
      perform('unarchiveFlag', { done: `${flag.key} is back, as it was` }).catch((error: unknown) =>
        notifyFailure(`${flag.key} is still archived`, error),
      )
    },
  }
}
