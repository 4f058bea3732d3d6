import type { Environment, StaleFlag } from '@burgee/contract'
import { send } from '../../shared/api/call.ts'
import { readStale } from '../../shared/api/read-stale.ts'
import { confirm } from '../../shared/forms/confirm.tsx'
import { usePermissionsIn } from '../../shared/scope/use-permissions.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { countOf } from '../../shared/ui/count-of.ts'
import { notifySuccess } from '../../shared/ui/notify.tsx'

/** The flags that one request archives, as many as the API takes. */
const KEYS_PER_CALL = 1000

/** Returns the flags that no program evaluates: archiving them changes no result. */
export const findArchivable = (flags: readonly StaleFlag[]): readonly StaleFlag[] =>
  flags.filter(({ keep_value, verdict }) => verdict === 'remove' && keep_value === undefined)

/** Archives flags in each environment where the person may change them. */
export function useArchiveStale(): (flags: readonly StaleFlag[]) => void {
  const { environments } = useScope()
  const mayIn = usePermissionsIn()
  const writable = environments.filter(({ id }) => mayIn('changeFlagsInBulk', id).isAllowed)
  return (flags) =>
    confirm({
      title: `Archive ${countOf(flags.length, 'flag')}?`,
      children: `No program has evaluated them lately. They are archived in ${namesOf(writable)}, and can be unarchived there.`,
      confirmLabel: `Archive ${countOf(flags.length, 'flag')}`,
      onConfirm: async () => {
        const outcome = await archive(flags, writable)
        await readStale()
        if (outcome.refused > 0)
          throw new Error(`${outcome.refused} of the changes were refused. The list shows what is left.`)
        notifySuccess({
          message:
            outcome.waiting > 0
              ? `Archived, and ${outcome.waiting} changes wait for approval.`
              : `Archived ${countOf(flags.length, 'flag')}.`,
        })
      },
    })
}

async function archive(flags: readonly StaleFlag[], environments: readonly Environment[]) {
  const outcome = { waiting: 0, refused: 0 }
  for (const { id: env_id } of environments) {
    const keys = flags
      .filter(({ evidence }) => evidence.some(({ environment_id }) => environment_id === env_id))
      .map(({ flag_key }) => flag_key)
    for (let at = 0; at < keys.length; at += KEYS_PER_CALL) {
      const body = { action: 'archive', keys: keys.slice(at, at + KEYS_PER_CALL) } as const
      const { results } = (await send('changeFlagsInBulk', { params: { env_id }, body })).body
      outcome.waiting += results.filter(({ status }) => status === 202).length
      outcome.refused += results.filter(({ status }) => status >= 300).length
    }
  }
  return outcome
}

const namesOf = (environments: readonly Environment[]): string =>
  environments.map(({ name }) => name).join(', ') || 'no environment'
