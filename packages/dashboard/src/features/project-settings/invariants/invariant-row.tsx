import type { Environment, Invariant, InvariantCheck } from '@burgee/contract'
import { ActionIcon, Badge, Group, Menu, Text, Tooltip } from '@mantine/core'
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react'
import { call } from '../../../shared/api/call.ts'
import { confirm } from '../../../shared/forms/confirm.tsx'
import { usePermissions } from '../../../shared/scope/use-permissions.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { GatedMenuItem } from '../../../shared/ui/gated-menu-item.tsx'
import { Row } from '../../../shared/ui/row-list.tsx'
import { demandOf, describeDemand } from './demand-text.ts'

/** The decision for an environment: undefined while the server decides, null where it could not be asked. */
export interface EnvironmentCheck {
  readonly environment: Environment
  readonly check: InvariantCheck | null | undefined
}

interface InvariantRowProps {
  readonly invariant: Invariant
  readonly checks: readonly EnvironmentCheck[]
  readonly onEdit: () => void
}

export function InvariantRow({ checks, invariant, onEdit }: InvariantRowProps) {
  const { description, enforcement, flag, key } = invariant
  const problems = checks.filter(({ check }) => check && check.verdict !== 'holds')
  return (
    <Row
      title={key}
      badges={
        <Badge size="sm" variant="light" color={enforcement === 'block' ? 'red' : 'yellow'} tt="none">
          {enforcement === 'block' ? 'Blocks' : 'Warns'}
        </Badge>
      }
      subtitle={
        <>
          <b>{flag}</b>: {describeDemand(demandOf(invariant))}
          {description && <div>{description}</div>}
        </>
      }
      actions={<InvariantMenu invariant={invariant} onEdit={onEdit} />}
      below={problems.map(({ check, environment }) => (
        <Text key={environment.id} size="xs" c="red" px={14} pb={8}>
          {environment.name}: {check?.why}
        </Text>
      ))}
    >
      <Group gap={6}>
        {checks.map((one) => (
          <VerdictBadge key={one.environment.id} {...one} />
        ))}
      </Group>
    </Row>
  )
}

const COLORS = { holds: 'teal', violated: 'red', undecided: 'yellow' } as const

function VerdictBadge({ check, environment }: EnvironmentCheck) {
  const verdict = check === undefined ? 'checking' : (check?.verdict ?? 'not checked')
  return (
    <Tooltip label={`${environment.name}: ${verdict}`}>
      <Badge
        size="sm"
        variant="light"
        color={check ? COLORS[check.verdict] : 'gray'}
        tt="none"
        tabIndex={0}
        aria-label={`${environment.name}: ${verdict}`}
      >
        {environment.slug} {verdict}
      </Badge>
    </Tooltip>
  )
}

function InvariantMenu({ invariant: { key }, onEdit }: Pick<InvariantRowProps, 'invariant' | 'onEdit'>) {
  const { project_id } = useScope()
  const may = usePermissions()
  const askDelete = () =>
    confirm({
      title: `Delete ${key}?`,
      children: 'Flags do not change. Writes that violate it are no longer refused.',
      confirmLabel: 'Delete invariant',
      onConfirm: async () => {
        await call('deleteInvariant', { params: { project_id, key } })
      },
    })
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${key}`}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <GatedMenuItem
          permission={may('updateInvariant')}
          leftSection={<IconPencil size={16} />}
          onClick={onEdit}
        >
          Edit
        </GatedMenuItem>
        <GatedMenuItem
          permission={may('deleteInvariant')}
          leftSection={<IconTrash size={16} />}
          onClick={askDelete}
        >
          Delete
        </GatedMenuItem>
      </Menu.Dropdown>
    </Menu>
  )
}
