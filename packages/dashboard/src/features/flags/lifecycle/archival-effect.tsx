import type { Environment, Flag, ImpactChange } from '@burgee/contract'
import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ImpactPanel } from '../../../parts/impact/index.tsx'
import { endpointQuery } from '../../../shared/api/queries.ts'
import { needsApproval } from '../../../shared/scope/needs-approval.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { ApprovalNote } from '../../../shared/ui/approval-note.tsx'
import { dependentFlags } from './dependent-flags.ts'

interface ArchivalEffectProps {
  readonly flag: Flag
  readonly environment: Environment
  /** The archival, as the dialog has its impact computed. */
  readonly changes: readonly ImpactChange[]
}

/** The effect of an archived flag on code and on other flags. */
export function ArchivalEffect({ flag, environment, changes }: ArchivalEffectProps) {
  const { project_id } = useScope()
  const flags = useQuery(endpointQuery('listFlags', { params: { env_id: environment.id } }))
  const dependents = dependentFlags(flags.data ?? [], [flag.key])
  const isAsking = needsApproval(environment)
  return (
    <Stack gap="xs">
      <Text size="sm">
        {isAsking ? 'Once it is approved, SDKs' : 'SDKs'} in {environment.name} stop receiving it at once and
        treat it as a flag that does not exist: code gets its own fallback value.
      </Text>
      {dependents.length > 0 && (
        <Text size="sm">
          These flags need it to be on first and will give their disabled value:{' '}
          <b>{dependents.map(({ key }) => key).join(', ')}</b>.
        </Text>
      )}
      <ImpactPanel
        project_id={project_id}
        environment_id={environment.id}
        changes={changes}
        names={flag.variant_names}
      />
      <Text size="sm">Its rules and history stay, and you can bring it back at any time.</Text>
      {isAsking && <ApprovalNote environment_name={environment.name} />}
    </Stack>
  )
}
