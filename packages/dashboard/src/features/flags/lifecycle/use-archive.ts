import type { Flag } from '@burgee/contract'
import { useQueryClient } from '@tanstack/react-query'
import { announceOutcome } from '../../../parts/flag-writes/announce-outcome.tsx'
import { type FlagOutcome, settleFlagWrite } from '../../../parts/flag-writes/flag-write.ts'
import { type CallOptions, type Explained, send } from '../../../shared/api/call.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { notifyFailure } from '../../../shared/ui/notify.tsx'

interface Archive {
  /** Archives the flag. Rejects when the server refuses. */
  readonly archive: (explained: Explained) => Promise<void>
  /** Takes it back into use, and reports a failure by itself. */
  readonly unarchive: () => void
}

/** Takes a flag out of use and back; both can be undone. */
export function useArchive(flag: Flag): Archive {
  const client = useQueryClient()
  const { project_id, environment_id } = useScope()
  const run = async (
    name: 'archiveFlag' | 'unarchiveFlag',
    options: Explained & Pick<CallOptions, 'ifMatch'>,
  ): Promise<FlagOutcome> => {
    const input = { params: { env_id: environment_id, key: flag.key } }
    return settleFlagWrite(client, environment_id, await send(name, input, options))
  }
  const perform = async (
    name: 'archiveFlag' | 'unarchiveFlag',
    { done, ...explained }: Explained & { readonly done: string },
  ): Promise<void> => {
    const outcome = await run(name, { ifMatch: flag.revision, ...explained })
    const opposite = name === 'archiveFlag' ? 'unarchiveFlag' : 'archiveFlag'
    const takeBack = () => {
      if (outcome.kind === 'asked') return
      run(opposite, { ifMatch: outcome.flag.revision }).catch((error: unknown) =>
        notifyFailure('The restore was not undone', error),
      )
    }
    announceOutcome(outcome, { done, project_id, environment_id, onUndo: takeBack })
  }
  return {
    archive: (explained) => perform('archiveFlag', { ...explained, done: `${flag.key} is archived` }),
    unarchive: () => {
      perform('unarchiveFlag', { done: `${flag.key} is back, as it was` }).catch((error: unknown) =>
        notifyFailure(`${flag.key} is still archived`, error),
      )
    },
  }
}
