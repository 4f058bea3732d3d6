import { useQueryClient } from '@tanstack/react-query'
import { overrideRequest } from '../../shared/overrides/override-request.ts'
import { TextRequestDialog } from '../../shared/text-requests/text-request-dialog.tsx'

/**
 * Requests the reason for overriding invariants that block a write without a dialog of its own, such as a
 * switch or a bulk action. People who may not override see the refusal instead. A write may be refused before
 * the page has read the person's rights, so the dialog reads them for each refusal.
 */
export function OverrideDialog({ project_id }: { readonly project_id: string }) {
  const client = useQueryClient()
  return (
    <TextRequestDialog
      of={overrideRequest}
      prepare={async (write) => (await loadOverride()).prepareOverride(client, project_id, write)}
      title="An invariant blocks this change"
      confirmLabel="Override and save"
      color="red"
    />
  )
}

const loadOverride = () => import('./prepare-override.tsx')
