import type { CustomRole } from '@burgee/contract'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { endpointQuery } from '../../../shared/api/queries.ts'
import { Failure } from '../../../shared/ui/failure.tsx'
import { RowList } from '../../../shared/ui/row-list.tsx'
import { Section } from '../../../shared/ui/section.tsx'
import { SkeletonRows } from '../../../shared/ui/skeleton-rows.tsx'
import { RoleDialog } from './role-dialog.tsx'
import { RoleRow } from './role-row.tsx'

type Opened =
  | { readonly kind: 'create'; readonly copied: string }
  | { readonly kind: 'edit'; readonly key: string }

/** The roles that members of projects can have, and what each permits. */
export function RolesTab() {
  const { data, error, refetch } = useQuery(endpointQuery('listRoles', {}))
  const [opened, setOpened] = useState<Opened | null>(null)
  const edited = opened?.kind === 'edit' ? data?.find(({ key }) => key === opened.key) : undefined
  const row = (role: CustomRole) => (
    <RoleRow
      key={role.key}
      role={role}
      onEdit={() => setOpened({ kind: 'edit', key: role.key })}
      onCopy={() => setOpened({ kind: 'create', copied: role.key })}
    />
  )
  return (
    <Section
      title="Roles"
      description="What members of projects may do. Each project gives roles to its members, under Members in its settings."
      actions={
        <Button
          leftSection={<IconPlus size={16} />}
          onClick={() => setOpened({ kind: 'create', copied: 'viewer' })}
        >
          Create role
        </Button>
      }
    >
      {error !== null && (
        <Failure error={error} title="The roles could not be loaded" onRetry={() => void refetch()} />
      )}
      {!data && error === null && <SkeletonRows rows={3} height={56} />}
      {data && (
        <RowList label="Roles" columns="11rem">
          {data.map(row)}
        </RowList>
      )}
      {data && opened?.kind === 'create' && (
        <RoleDialog roles={data} edited={null} copied={opened.copied} onClose={() => setOpened(null)} />
      )}
      {data && edited && <RoleDialog roles={data} edited={edited} onClose={() => setOpened(null)} />}
    </Section>
  )
}
