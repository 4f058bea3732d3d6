import type { DriftNote, Environment, Flag } from '@burgee/contract'
import { Button, Drawer, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { IconArrowUpRight } from '@tabler/icons-react'
import { useState } from 'react'
import { describeBehaviour } from '../../parts/flag-diff/describe-behaviour.ts'
import { FlagDiff } from '../../parts/flag-diff/flag-diff.tsx'
import { PromoteDialog } from '../../parts/promote/promote-dialog.tsx'
import { usePromotePermission } from '../../parts/promote/use-promote-permission.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { EnvironmentDot } from '../../shared/ui/environment-dot.tsx'
import { Gated } from '../../shared/ui/gated.tsx'
import { AnchorLink } from '../../shared/ui/links.tsx'
import type { DriftRow } from './drift.ts'
import { DriftNoteSection } from './drift-note-section.tsx'
import type { Behaviour } from './use-behaviours.ts'

interface DriftPanelProps {
  /** Undefined: none is open. */
  readonly row: DriftRow | undefined
  readonly source: Environment
  readonly target: Environment | undefined
  readonly environments: readonly Environment[]
  readonly behaviour: Behaviour | undefined
  readonly isComparing: boolean
  readonly note: DriftNote | undefined
  readonly onClose: () => void
}

interface Order {
  readonly flag: Flag
  readonly from: Environment
  readonly to: Environment
}

/** One flag as it is in two environments, and the way to make them equal, in either direction. */
export function DriftPanel({
  row,
  source,
  target,
  environments,
  behaviour,
  isComparing,
  note,
  onClose,
}: DriftPanelProps) {
  const [order, setOrder] = useState<Order | null>(null)
  const promote = (chosen: Order) => {
    setOrder(chosen)
    onClose()
  }
  return (
    <>
      <Drawer
        opened={row !== undefined && target !== undefined}
        onClose={onClose}
        position="right"
        size="lg"
        title={row?.key}
        styles={{ title: { overflowWrap: 'anywhere' } }}
      >
        {row && target && (
          <Differences
            row={row}
            source={source}
            target={target}
            behaviour={behaviour}
            isComparing={isComparing}
            note={note}
            onPromote={promote}
          />
        )}
      </Drawer>
      {order && (
        <PromoteDialog
          flag={order.flag}
          source={order.from}
          environments={environments}
          targetId={order.to.id}
          isOpen
          onClose={() => setOrder(null)}
        />
      )}
    </>
  )
}

interface DifferencesProps extends Pick<DriftPanelProps, 'behaviour' | 'isComparing' | 'note' | 'source'> {
  readonly row: DriftRow
  readonly target: Environment
  readonly onPromote: (order: Order) => void
}

function Differences({ row, source, target, behaviour, isComparing, note, onPromote }: DifferencesProps) {
  const may = usePromotePermission()
  const [inSource, inTarget] = [row.flags.get(source.id) ?? null, row.flags.get(target.id) ?? null]
  const orders: Order[] = [
    ...(inSource ? [{ flag: inSource, from: source, to: target }] : []),
    ...(inTarget ? [{ flag: inTarget, from: target, to: source }] : []),
  ]
  const described = behaviour && describeBehaviour(behaviour, { source: source.name, target: target.name })
  return (
    <Stack gap="lg">
      <Group gap="lg">
        <Place environment={source} flag={inSource} />
        <Place environment={target} flag={inTarget} />
      </Group>
      {inSource ? (
        <Stack gap="xs">
          <Title order={2} size="h6">
            To make {target.name} like {source.name}
          </Title>
          <FlagDiff before={inTarget} after={inSource} />
          {inTarget && isArchived(inSource) !== isArchived(inTarget) && (
            <Text size="sm" c="dimmed">
              Promoting copies all but whether it is archived: do that on the flag's own page.
            </Text>
          )}
        </Stack>
      ) : (
        <Text size="sm">{source.name} does not have this flag.</Text>
      )}
      {behaviour === undefined && isComparing && <Skeleton height={20} />}
      {typeof described === 'string' && (
        <Text size="sm" role="status">
          {described}
        </Text>
      )}
      <Group gap="xs">
        {orders.map((order) => (
          <Gated key={order.from.id} permission={may({ source: order.from, target: order.to })}>
            <Button
              variant={order.to === target ? 'filled' : 'default'}
              leftSection={<IconArrowUpRight size={16} />}
              onClick={() => onPromote(order)}
            >
              Promote {order.from.name} to {order.to.name}…
            </Button>
          </Gated>
        ))}
      </Group>
      <DriftNoteSection flag_key={row.key} source={source} target={target} note={note} />
    </Stack>
  )
}

const isArchived = ({ archived_at }: Flag): boolean => archived_at !== null

/** An environment, with the way to the flag there. */
function Place({ environment, flag }: { readonly environment: Environment; readonly flag: Flag | null }) {
  const { project_id } = useScope()
  return (
    <Group gap={8} wrap="nowrap">
      <EnvironmentDot color={environment.color} />
      {flag ? (
        <AnchorLink
          size="sm"
          to="/projects/$project_id/environments/$environment_id/flags/$flag_key"
          params={{ project_id, environment_id: environment.id, flag_key: flag.key }}
        >
          Open in {environment.name}
        </AnchorLink>
      ) : (
        <Text size="sm" c="dimmed">
          Not in {environment.name}
        </Text>
      )}
    </Group>
  )
}
