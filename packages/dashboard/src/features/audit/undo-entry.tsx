import type { AuditEntry } from '@burgee/contract'
import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { UndoDialog } from '../../parts/undo/index.tsx'
import { endpointQuery } from '../../shared/api/queries.ts'
import { usePermissions } from '../../shared/scope/use-permissions.ts'

interface UndoEntryProps {
  readonly entry: Pick<AuditEntry, 'id'>
  readonly place: { readonly project_id: string; readonly environment_id: string }
}

/**
 * The undo of one entry: what it changed becomes what it was, and later changes of other fields stay. It is
 * not there for people who may not undo.
 */
export function UndoEntry({ entry, place }: UndoEntryProps) {
  const { environment_id, project_id } = place
  const [isOpen, setOpen] = useState(false)
  const permission = usePermissions(project_id, environment_id)('revertEnvironment')
  const environments = useQuery(endpointQuery('listEnvironments', { params: { project_id } }))
  const environment = environments.data?.find(({ id }) => id === environment_id)
  if (!permission.isAllowed || !environment) return null
  const close = () => setOpen(false)
  return (
    <>
      <Anchor component="button" type="button" size="xs" onClick={() => setOpen(true)}>
        Undo this change…
      </Anchor>
      {isOpen && (
        <UndoDialog environment={environment} audit_ids={[entry.id]} onClose={close} onDone={close} />
      )}
    </>
  )
}
