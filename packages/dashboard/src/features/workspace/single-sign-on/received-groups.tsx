import type { GroupMapping, ReceivedGroup } from '@burgee/contract'
import { Badge, Button, Modal, Text } from '@mantine/core'
import { useState } from 'react'
import { countOf } from '../../../shared/ui/count-of.ts'
import { Row, RowList } from '../../../shared/ui/row-list.tsx'
import { Section } from '../../../shared/ui/section.tsx'
import { useFirstRows } from '../../../shared/ui/use-first-rows.tsx'
import { MappingForm } from './mapping-form.tsx'

interface ReceivedGroupsProps {
  readonly received: readonly ReceivedGroup[]
  /** The number of all groups, of which the server names the first ones. */
  readonly total: number
  readonly mappings: readonly GroupMapping[]
}

/** The groups that the identity provider has sent, and whether each gives a role. */
export function ReceivedGroups({ mappings, received, total }: ReceivedGroupsProps) {
  const { more, shown } = useFirstRows(received)
  const [group, setGroup] = useState<string | null>(null)
  const close = () => setGroup(null)
  return (
    <Section
      title="Groups received by SCIM"
      description={
        total > received.length
          ? `The first ${received.length} of ${total} groups, by name. A group without a role gives no access.`
          : 'A group without a role gives no access.'
      }
    >
      <RowList label="Groups received by SCIM" columns="7rem 7rem">
        {shown.map((one) => (
          <Row
            key={one.name}
            title={one.name}
            subtitle={one.external_id}
            actions={
              <Button
                variant="subtle"
                size="xs"
                aria-label={`Give ${one.name} a role`}
                onClick={() => setGroup(one.name)}
              >
                Give a role
              </Button>
            }
          >
            <Text size="sm">{countOf(one.members, 'member')}</Text>
            <RoleCount count={mappings.filter((mapping) => isOf(mapping, one)).length} />
          </Row>
        ))}
      </RowList>
      {more}
      <Modal opened={group !== null} onClose={close} title="Add group">
        <MappingForm initialGroup={group ?? ''} onDone={close} />
      </Modal>
    </Section>
  )
}

/** Rows of the table name a group by its display name or by its id at the provider. */
const isOf = ({ group }: GroupMapping, { external_id, name }: ReceivedGroup): boolean =>
  group === name || group === external_id

const RoleCount = ({ count }: { readonly count: number }) =>
  count === 0 ? (
    <Badge variant="light" tt="none" color="yellow" w="fit-content">
      No role
    </Badge>
  ) : (
    <Badge variant="light" tt="none" color="teal" w="fit-content">
      {countOf(count, 'role')}
    </Badge>
  )
