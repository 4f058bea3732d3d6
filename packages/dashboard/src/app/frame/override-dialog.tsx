import { OverrideReason } from '../../parts/impact/index.tsx'
import { Violations } from '../../parts/impact/violations.tsx'
import { overrideRequest } from '../../shared/overrides/override-request.ts'
import { useOverridePermission } from '../../shared/scope/use-override-permission.ts'
import { TextRequestDialog } from '../../shared/text-requests/text-request-dialog.tsx'

const LISTED_MAX = 5

/**
 * Requests the reason for overriding invariants that block a write without a dialog of its own, such as a
 * switch or a bulk action. People who may not override see the refusal instead.
 */
export function OverrideDialog({ project_id }: { readonly project_id: string }) {
  const permissionIn = useOverridePermission(project_id)
  return (
    <TextRequestDialog
      of={overrideRequest}
      accepts={({ environment_id }) =>
        permissionIn(environment_id === undefined ? [] : [environment_id]).isAllowed
      }
      title="An invariant blocks this change"
      confirmLabel="Override and save"
      color="red"
      showCause={({ violations }) => <Violations violations={violations.slice(0, LISTED_MAX)} />}
      field={(props) => <OverrideReason {...props} />}
    />
  )
}
