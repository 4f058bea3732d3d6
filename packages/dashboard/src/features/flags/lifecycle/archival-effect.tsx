import type { Flag } from '@burgee/contract'
import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../../../shared/api/queries.ts'
import { dependentFlags } from './dependent-flags.ts'

interface ArchivalEffectProps {
  readonly flag: Flag
  readonly env_id: string
  readonly environment_name: string | undefined
}

/** What code and other flags see of a flag that is archived. */
export function ArchivalEffect({ flag, env_id, environment_name = 'this environment' }: ArchivalEffectProps) {
  const flags = useQuery(endpointQuery('listFlags', { params: { env_id } }))
  const dependents = dependentFlags(flags.data ?? [], flag.key)
  return (
    <Stack gap="xs">
      <Text size="sm">
        SDKs in {environment_name} stop receiving it at once and treat it as a flag that does not exist: code
        gets its own fallback value.
      </Text>
      {dependents.length > 0 && (
        <Text size="sm">
          These flags need it to be on first and will give their disabled value:{' '}
          <b>{dependents.map(({ key }) => key).join(', ')}</b>.
        </Text>
      )}
      <Text size="sm">Its rules and history stay, and you can bring it back at any time.</Text>
    </Stack>
  )
}
