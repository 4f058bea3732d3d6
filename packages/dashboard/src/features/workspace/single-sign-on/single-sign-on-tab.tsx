import { Anchor, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../../../shared/api/queries.ts'
import { Failure } from '../../../shared/ui/failure.tsx'
import { Section } from '../../../shared/ui/section.tsx'
import { Fact } from './fact.tsx'
import { GroupTable } from './group-table.tsx'
import { ScimSection } from './scim-section.tsx'

const DOCS = 'https://github.com/burgee/burgee/blob/main/docs/sso.md'

/** Single sign-on: the settings as they are, and the roles that groups give. */
export function SingleSignOnTab() {
  const { data, error, refetch } = useQuery(endpointQuery('getSingleSignOnSettings', {}))
  if (error !== null)
    return <Failure error={error} title="The settings could not be loaded" onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={240} />
  return (
    <Stack gap="xl">
      <GroupTable label={data.label ?? 'the identity provider'} claim={data.groups_claim} />
      <Section
        title="Identity provider"
        description={
          <>
            Set in the environment of the server.{' '}
            <Anchor href={DOCS} target="_blank" rel="noreferrer" size="sm">
              How to set it up
            </Anchor>
          </>
        }
        isBoxed
      >
        <Stack gap="sm">
          <Fact name="Issuer" value={data.issuer} />
          <Fact name="Client id" value={data.client_id} />
          <Fact name="Scopes" value={data.scopes} />
          <Fact name="Claim with the groups" value={data.groups_claim} />
          <Fact name="Redirect address" value={data.redirect_uri} />
          <Fact name="Address after a logout" value={data.post_logout_redirect_uri} />
          <Fact name="Back-channel logout" value={data.backchannel_logout_uri} />
          <Text size="sm">
            {data.password_login
              ? 'Passwords are accepted as well.'
              : 'Passwords are switched off. In an emergency, the operator can allow one account its password for an hour.'}
          </Text>
        </Stack>
      </Section>
      <ScimSection />
    </Stack>
  )
}
