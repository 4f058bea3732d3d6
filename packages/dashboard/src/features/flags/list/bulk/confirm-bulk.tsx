import type { BulkInput, Flag } from '@burgee/contract'
import { Text } from '@mantine/core'
import type { CommentedEnvironment } from '../../../../shared/comments/use-comment.tsx'
import { confirm } from '../../../../shared/forms/confirm.tsx'
import { countOf } from '../../../../shared/ui/count-of.ts'
import { dependentFlags } from '../../lifecycle/dependent-flags.ts'
import { BULK_LABELS } from './bulk-labels.ts'

interface BulkQuestion {
  readonly action: BulkInput['action']
  readonly chosen: readonly Flag[]
  /** All flags of the environment, for what depends on the chosen ones. */
  readonly flags: readonly Flag[]
  /** Production's name; null elsewhere, where only a deletion needs confirmation. */
  readonly production: string | null
  /** Nothing happens before someone else approves it. */
  readonly needsApproval: boolean
  /** The environment that the action's comment is for. */
  readonly environment: CommentedEnvironment | undefined
  readonly onConfirmed: (comment?: string) => void
}

const NAMED_MAX = 5

/** Opens a confirmation if an action reaches customers or cannot be undone. Otherwise goes on at once. */
export function confirmBulk({
  action,
  chosen,
  flags,
  production,
  needsApproval,
  environment,
  onConfirmed,
}: BulkQuestion): void {
  const isDeletion = action === 'delete'
  if (production === null && !isDeletion && !environment?.require_comment) {
    onConfirmed()
    return
  }
  const { verb } = BULK_LABELS[action]
  const amount = countOf(chosen.length, 'flag')
  confirm({
    title: `${verb} ${amount}${production === null ? '' : ` in ${production}`}?`,
    confirmLabel: `${verb} ${amount}`,
    ...(isDeletion && production !== null && { typed: production }),
    ...(!isDeletion && { tone: 'calm' }),
    children: (
      <>
        <Text size="sm">
          {needsApproval && 'Someone else has to approve each of them first. '}
          {CONSEQUENCES[action]}
        </Text>
        {(isDeletion || action === 'archive') && <Dependents flags={flags} chosen={chosen} />}
      </>
    ),
    commentIn: environment,
    onConfirm: async (comment) => onConfirmed(comment),
  })
}

const CONSEQUENCES: Readonly<Record<BulkInput['action'], string>> = {
  enable: 'Connected programs follow within a second. It can be undone afterwards.',
  disable: 'Everyone gets their disabled values within a second. It can be undone afterwards.',
  archive: 'Programs no longer receive them. They keep their history and can be unarchived.',
  unarchive: 'Programs receive them again, as they were.',
  delete: 'They are removed from every connected program within a second. This cannot be undone.',
  add_tags: '',
  remove_tags: '',
}

function Dependents({ flags, chosen }: Pick<BulkQuestion, 'flags' | 'chosen'>) {
  const chosenKeys = chosen.map(({ key }) => key)
  const keys = dependentFlags(flags, chosenKeys).map(({ key }) => key)
  if (keys.length === 0) return null
  const more = keys.length - NAMED_MAX
  return (
    <Text size="sm" mt="xs" fw={550}>
      {countOf(keys.length, 'flag')} {keys.length === 1 ? 'needs' : 'need'} one of them and will give the
      disabled value: {keys.slice(0, NAMED_MAX).join(', ')}
      {more > 0 && ` and ${more} more`}.
    </Text>
  )
}
