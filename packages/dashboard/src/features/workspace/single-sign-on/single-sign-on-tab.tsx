import { Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../../../shared/api/queries.ts'
import { Failure } from '../../../shared/ui/failure.tsx'
import { GroupTable } from './group-table.tsx'
import { ProviderSection } from './provider-section.tsx'
import { ReceivedGroups } from './received-groups.tsx'
import { ScimSection } from './scim-section.tsx'

/** Single sign-on and SCIM, which are set up without each other, and the roles that groups of both give. */
export function SingleSignOnTab() {
  const provider = useQuery(endpointQuery('getSingleSignOnSettings', {}))
  const scim = useQuery(endpointQuery('getScimSettings', {}))
  const mappings = useQuery(endpointQuery('listGroupMappings', {}))
  const failed = [provider, scim, mappings].find(({ error }) => error !== null)
  if (failed?.error) {
    return (
      <Failure
        error={failed.error}
        title="The settings could not be loaded"
        onRetry={() => void failed.refetch()}
      />
    )
  }
  if (!provider.data || !scim.data || !mappings.data) return <Skeleton height={240} />
  const { groups_claim, issuer, label } = provider.data
  const received = scim.data.received_groups
  const sources = {
    claim: issuer === null ? null : groups_claim,
    hasScim: scim.data.token_prefix !== null || received.length > 0,
    label: label ?? 'the identity provider',
  }
  const hasGroups = sources.claim !== null || sources.hasScim || mappings.data.length > 0
  return (
    <Stack gap="xl">
      {hasGroups && <GroupTable sources={sources} mappings={mappings.data} received={received} />}
      <ProviderSection settings={provider.data} />
      <ScimSection settings={scim.data} />
      {received.length > 0 && (
        <ReceivedGroups received={received} total={scim.data.groups} mappings={mappings.data} />
      )}
    </Stack>
  )
}
