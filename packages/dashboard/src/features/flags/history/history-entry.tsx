import type { FlagHistoryEntry } from '@burgee/contract'
import { Badge, Button, Group, Text } from '@mantine/core'
import { IconArrowBackUp, IconArrowsDiff, IconHistory } from '@tabler/icons-react'
import { FlagDiff } from '../../../parts/flag-diff/flag-diff.tsx'
import { CommentText } from '../../../shared/comments/comment-text.tsx'
import { justBefore } from '../../../shared/scope/just-before.ts'
import { usePermissions } from '../../../shared/scope/use-permissions.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { Gated } from '../../../shared/ui/gated.tsx'
import { ButtonLink } from '../../../shared/ui/links.tsx'
import { Time } from '../../../shared/ui/time.tsx'
import { describeAction } from './describe-action.ts'
import classes from './history.module.css'

interface HistoryEntryProps {
  readonly entry: FlagHistoryEntry
  /** The entry that it changed; undefined if that is not known. */
  readonly before: FlagHistoryEntry | undefined
  /** The flag is still as this left it. */
  readonly isCurrent: boolean
  /** With the flag as it is now. */
  readonly onCompare: () => void
  readonly onRestore: () => void
  /** Restores the revision before this one. */
  readonly onUndo: () => void
}

/** One change with its author and time, and the way back to it. */
export function HistoryEntry({ entry, before, isCurrent, onCompare, onRestore, onUndo }: HistoryEntryProps) {
  const permission = usePermissions()('restoreFlag')
  const { action, actor_email, created_at, flag, revision } = entry
  const isFirst = !before && action === 'create'
  return (
    <li className={classes.entry} data-current={isCurrent || undefined}>
      <Group justify="space-between" gap="xs">
        <Group gap={8} miw={0} className={classes.who}>
          <Text size="sm" component="span">
            <b>{actor_email}</b> {describeAction(action)}
          </Text>
          <Time at={created_at} />
          <Badge variant={isCurrent ? 'light' : 'default'} size="sm" radius="sm" tt="none">
            {isCurrent ? `Revision ${revision}, now` : `Revision ${revision}`}
          </Badge>
          <EvaluateBefore entry={entry} />
        </Group>
        {isCurrent && before && (
          <Gated permission={permission}>
            <EntryButton icon={IconArrowBackUp} onClick={onUndo}>
              Undo this change…
            </EntryButton>
          </Gated>
        )}
        {!isCurrent && (
          <Group gap={4}>
            <EntryButton
              icon={IconArrowsDiff}
              onClick={onCompare}
              label={`Compare revision ${revision} with now`}
            >
              Compare
            </EntryButton>
            <Gated permission={permission}>
              <EntryButton icon={IconArrowBackUp} onClick={onRestore} label={`Restore revision ${revision}`}>
                Restore…
              </EntryButton>
            </Gated>
          </Group>
        )}
      </Group>
      <CommentText comment={entry.comment} />
      {before || isFirst ? (
        <FlagDiff before={before?.flag ?? null} after={flag} same="Saved without a difference." />
      ) : (
        <Text size="sm" c="dimmed">
          The state before it is not kept.
        </Text>
      )}
    </li>
  )
}

/** Leads to what a user got before the change. */
function EvaluateBefore({ entry: { created_at, flag, revision } }: Pick<HistoryEntryProps, 'entry'>) {
  const { environment_id, project_id } = useScope()
  return (
    <ButtonLink
      variant="subtle"
      color="gray"
      c="dimmed"
      size="compact-sm"
      leftSection={<IconHistory size={15} />}
      to="/projects/$project_id/environments/$environment_id/evaluate"
      params={{ project_id, environment_id }}
      search={{ as_of: justBefore(created_at), flag: flag.key }}
      aria-label={`State before revision ${revision}`}
    >
      State before
    </ButtonLink>
  )
}

interface EntryButtonProps {
  readonly icon: typeof IconArrowBackUp
  /** The name for screen readers, where the text alone does not name the revision. */
  readonly label?: string
  /** Set by the gate of a role. */
  readonly disabled?: boolean
  readonly onClick: () => void
  readonly children: string
}

function EntryButton({ icon: Icon, label, disabled = false, onClick, children }: EntryButtonProps) {
  return (
    <Button
      variant="subtle"
      color="gray"
      c="dimmed"
      size="compact-sm"
      leftSection={<Icon size={15} />}
      onClick={onClick}
      aria-label={label}
      disabled={disabled}
    >
      {children}
    </Button>
  )
}
