import type { GroupMapping, ReceivedGroup } from '@burgee/contract'
import { ActionIcon, Badge, Button, Modal, Text, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus, IconTrash, IconUsersGroup } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../shared/api/call.ts'
import { endpointQuery } from '../../../shared/api/queries.ts'
import { confirm } from '../../../shared/forms/confirm.tsx'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { Row, RowList } from '../../../shared/ui/row-list.tsx'
import { Section } from '../../../shared/ui/section.tsx'
import { describeGroups, type GroupSources } from './describe-groups.ts'
import { MappingForm } from './mapping-form.tsx'

interface GroupTableProps {
  readonly sources: GroupSources
  readonly mappings: readonly GroupMapping[]
  readonly received: readonly ReceivedGroup[]
}

/** The roles that groups of the identity provider give. */
export function GroupTable({ mappings, received, sources }: GroupTableProps) {
  const [isAdding, { close, open }] = useDisclosure(false)
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={open}>
      Add group
    </Button>
  )
  const { effect, origin } = describeGroups(sources)
  return (
    <Section
      title="Roles of groups"
      description={`${effect} Roles given by people stay.`}
      actions={mappings.length > 0 ? add : undefined}
    >
      {mappings.length > 0 ? (
        <Mappings mappings={mappings} />
      ) : (
        <EmptyState icon={<IconUsersGroup size={22} />} title="No group has a role yet" action={add}>
          {origin}
        </EmptyState>
      )}
      <Modal opened={isAdding} onClose={close} title="Add group">
        <MappingForm suggested={received.map(({ name }) => name)} onDone={close} />
      </Modal>
    </Section>
  )
}

function Mappings({ mappings }: { readonly mappings: readonly GroupMapping[] }) {
  const projects = useQuery(endpointQuery('listProjects', {})).data ?? []
  const roles = useQuery(endpointQuery('listRoles', {})).data ?? []
  const remove = ({ group, id }: GroupMapping) =>
    confirm({
      title: 'Remove the role of a group',
      children: (
        <>
          Everyone who has the role from the group <b>{group}</b> alone loses it at once.
        </>
      ),
      confirmLabel: 'Remove',
      onConfirm: async () => {
        await call('deleteGroupMapping', { params: { id } })
      },
    })
  return (
    <RowList label="Groups" columns="minmax(8rem, 14rem) 8rem">
      {mappings.map((mapping) => {
        const { group, id, project_id, role } = mapping
        const project = projects.find((one) => one.id === project_id)
        return (
          <Row
            key={id}
            title={group}
            actions={
              <Tooltip label="Remove">
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={`Remove the role of ${group}`}
                  onClick={() => remove(mapping)}
                >
                  <IconTrash size={16} />
                </ActionIcon>
              </Tooltip>
            }
          >
            <Text size="sm" truncate>
              {project_id === null ? 'Workspace' : (project?.name ?? 'A project')}
            </Text>
            <Badge variant="light" tt="none" color={role === 'admin' ? 'orange' : 'gray'} w="fit-content">
              {roles.find(({ key }) => key === role)?.name ?? role}
            </Badge>
          </Row>
        )
      })}
    </RowList>
  )
}
