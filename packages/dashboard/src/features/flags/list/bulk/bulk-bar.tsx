import type { BulkInput, Environment, Flag } from '@burgee/contract'
import { ActionIcon, Button, Group, Menu, Paper, Progress, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconDots, IconX } from '@tabler/icons-react'
import { useMemo } from 'react'
import { isProduction } from '../../../../shared/scope/is-production.ts'
import { needsApproval } from '../../../../shared/scope/needs-approval.ts'
import { type Permission, usePermissions } from '../../../../shared/scope/use-permissions.ts'
import { useScope } from '../../../../shared/scope/use-scope.ts'
import { countOf } from '../../../../shared/ui/count-of.ts'
import { Gated } from '../../../../shared/ui/gated.tsx'
import { tagsOf } from '../seen-in-flags.ts'
import classes from './bulk-bar.module.css'
import { BULK_LABELS } from './bulk-labels.ts'
import { BulkProblem } from './bulk-problem.tsx'
import { confirmBulk } from './confirm-bulk.tsx'
import { editTags } from './edit-tags.tsx'
import { type BulkRun, useBulk } from './use-bulk.tsx'

interface BulkBarProps {
  /** All flags of the environment. */
  readonly flags: readonly Flag[]
  readonly selected: ReadonlySet<string>
  readonly onClear: () => void
}

/** The actions on the selected flags, and the progress of the one that runs. */
export function BulkBar({ flags, selected, onClear }: BulkBarProps) {
  const scope = useScope()
  const bulk = useBulk(scope)
  const permission = usePermissions()('changeFlagsInBulk')
  const chosen = useMemo(() => flags.filter(({ key }) => selected.has(key)), [flags, selected])
  const start = (action: BulkInput['action'], more: Pick<BulkInput, 'comment' | 'tags'>) =>
    bulk.start({ action, keys: chosen.map(({ key }) => key), ...more }, chosen)

  const ask = (action: BulkInput['action']) => {
    if (action === 'add_tags' || action === 'remove_tags') {
      const known = tagsOf(action === 'add_tags' ? flags : chosen)
      editTags({
        action,
        amount: chosen.length,
        known,
        environment: scope.environment,
        onChosen: (tags, comment) => void start(action, { tags, ...(comment !== undefined && { comment }) }),
      })
    } else {
      confirmBulk({
        action,
        chosen,
        flags,
        production: scope.environment && isProduction(scope.environment) ? scope.environment.name : null,
        needsApproval: actionNeedsApproval(scope.environment, action),
        environment: scope.environment,
        onConfirmed: (comment) => void start(action, comment === undefined ? {} : { comment }),
      })
    }
  }

  return (
    <>
      {(bulk.run ?? chosen.length) !== 0 && (
        <>
          <div className={classes.room} />
          <Paper role="region" aria-label="Selected flags" withBorder shadow="md" className={classes.bar}>
            {bulk.run ? (
              <Running run={bulk.run} onStop={bulk.stop} />
            ) : (
              <Actions chosen={chosen} permission={permission} onAsk={ask} onClear={onClear} />
            )}
          </Paper>
        </>
      )}
      <BulkProblem finished={bulk.problem} onClose={bulk.closeProblem} />
    </>
  )
}

interface ActionsProps {
  readonly chosen: readonly Flag[]
  readonly permission: Permission
  readonly onAsk: (action: BulkInput['action']) => void
  readonly onClear: () => void
}

const ROOMY = '(min-width: 62em)'

function Actions({ chosen, permission, onAsk, onClear }: ActionsProps) {
  const isRoomy = useMediaQuery(ROOMY, undefined, { getInitialValueInEffect: false })
  const actions = actionsFor(chosen)
  const first = isRoomy ? actions : actions.slice(0, 2)
  const rest = isRoomy ? [] : actions.slice(2)
  return (
    <Group gap={4} wrap="nowrap">
      <Text size="sm" fw={550} role="status" className={classes.amount}>
        {chosen.length.toLocaleString('en')} <span className={classes.word}>selected</span>
      </Text>
      {first.map((action) => (
        <Gated key={action} permission={permission}>
          <Button
            size="compact-sm"
            variant="subtle"
            color={action === 'delete' ? 'red' : 'gray'}
            className={classes.action}
            data-danger={action === 'delete' || undefined}
            onClick={() => onAsk(action)}
          >
            {BULK_LABELS[action].verb}
          </Button>
        </Gated>
      ))}
      {rest.length > 0 && <MoreActions actions={rest} permission={permission} onAsk={onAsk} />}
      <ActionIcon variant="subtle" color="gray" size="lg" onClick={onClear} aria-label="Clear the selection">
        <IconX size={16} />
      </ActionIcon>
    </Group>
  )
}

interface MoreActionsProps extends Pick<ActionsProps, 'permission' | 'onAsk'> {
  readonly actions: readonly BulkInput['action'][]
}

/** Those that a narrow page has no room for. */
function MoreActions({ actions, permission, onAsk }: MoreActionsProps) {
  const button = (
    <ActionIcon variant="subtle" color="gray" size="lg" aria-label="More actions">
      <IconDots size={18} />
    </ActionIcon>
  )
  if (!permission.isAllowed) return <Gated permission={permission}>{button}</Gated>
  return (
    <Menu position="top-end" shadow="md">
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        {actions.map((action) => (
          <Menu.Item
            key={action}
            onClick={() => onAsk(action)}
            {...(action === 'delete' && { color: 'red' })}
          >
            {BULK_LABELS[action].verb}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function Running({ run, onStop }: { readonly run: BulkRun; readonly onStop: () => void }) {
  const { action, finished, total } = run
  return (
    <Group gap="sm" wrap="nowrap">
      <div className={classes.progress}>
        <Text size="sm" role="status">
          {BULK_LABELS[action].running} {countOf(total, 'flag')}: {finished.toLocaleString('en')} done
        </Text>
        <Progress value={(finished / total) * 100} size="sm" mt={4} aria-label="Progress" />
      </div>
      <Button size="compact-sm" variant="default" onClick={onStop}>
        Stop
      </Button>
    </Group>
  )
}

/** Turning on and off is a patch, which waits for an approval wherever one is required. */
const actionNeedsApproval = (environment: Environment | undefined, action: BulkInput['action']): boolean =>
  needsApproval(environment) ||
  (environment?.require_approval === true && (action === 'enable' || action === 'disable'))

/** The actions on offer. They depend on whether active or archived flags are among the chosen ones. */
function actionsFor(chosen: readonly Flag[]): BulkInput['action'][] {
  const hasArchived = chosen.some(({ archived_at }) => archived_at !== null)
  const hasActive = chosen.some(({ archived_at }) => archived_at === null)
  return [
    ...(hasActive ? (['enable', 'disable'] as const) : []),
    'add_tags',
    'remove_tags',
    ...(hasActive ? (['archive'] as const) : []),
    ...(hasArchived ? (['unarchive'] as const) : []),
    'delete',
  ]
}
