import type { GroupMapping } from '@burgee/contract'
import { ActionIcon, Badge, Button, Modal, Skeleton, Text, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus, IconTrash, IconUsersGroup } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../shared/api/call.ts'
import { endpointQuery, refresh } from '../../../shared/api/queries.ts'
import { confirm } from '../../../shared/ui/confirm.tsx'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { Failure } from '../../../shared/ui/failure.tsx'
import { Row, RowList } from '../../../shared/ui/row-list.tsx'
import { Section } from '../../../shared/ui/section.tsx'
import { MappingForm } from './mapping-form.tsx'

interface GroupTableProps {
  readonly label: string
  readonly claim: string
}

/** The roles that groups of the identity provider give. */
export function GroupTable({ claim, label }: GroupTableProps) {
  const { data, error, refetch } = useQuery(endpointQuery('listGroupMappings', {}))
  const [isAdding, { close, open }] = useDisclosure(false)
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={open}>
      Add group
    </Button>
  )
  return (
    <Section
      title="Groups"
      description={`Members of a group of ${label} get its role when they log in, and lose it when they leave the group. Roles that people gave stay.`}
      actions={data && data.length > 0 ? add : undefined}
    >
      {error !== null && (
        <Failure error={error} title="The groups could not be loaded" onRetry={() => void refetch()} />
      )}
      {!data && error === null && <Skeleton height={120} />}
      {data && data.length > 0 && <Mappings mappings={data} />}
      {data?.length === 0 && (
        <EmptyState icon={<IconUsersGroup size={22} />} title="No group gives a role yet" action={add}>
          People without an account here can log in once a group gives them a role. Groups come from the claim{' '}
          <b>{claim}</b>.
        </EmptyState>
      )}
      <Modal opened={isAdding} onClose={close} title="Add group">
        <MappingForm onDone={close} />
      </Modal>
    </Section>
  )
}

function Mappings({ mappings }: { readonly mappings: readonly GroupMapping[] }) {
  const client = useQueryClient()
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
        await refresh(client, 'listGroupMappings', 'listMembers', 'listUsers')
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
            <Badge variant="light" color={role === 'admin' ? 'orange' : 'gray'} w="fit-content">
              {roles.find(({ key }) => key === role)?.name ?? role}
            </Badge>
          </Row>
        )
      })}
    </RowList>
  )
}
