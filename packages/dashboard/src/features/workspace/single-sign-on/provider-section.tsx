import type { SingleSignOnSettings } from '@burgee/contract'
import { Anchor, Stack, Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { Section } from '../../../shared/ui/section.tsx'
import { Fact } from './fact.tsx'

const DOCS = 'https://github.com/burgee/burgee/blob/main/docs/sso.md'

/** The identity provider with which people sign in, as the server's environment names it. */
export function ProviderSection({ settings }: { readonly settings: SingleSignOnSettings }) {
  const isOn = settings.issuer !== null
  return (
    <Section
      title="Sign in with an identity provider (OpenID Connect)"
      description={
        <>
          Set in the environment of the server.{' '}
          <Anchor href={DOCS} target="_blank" rel="noreferrer" size="sm" underline="always">
            How to set it up
          </Anchor>
        </>
      }
      isBoxed={isOn}
    >
      {isOn ? (
        <ProviderFacts settings={settings} />
      ) : (
        <EmptyState icon={<IconKey size={22} />} title="Single sign-on is off">
          With <b>OIDC_ISSUER</b>, <b>OIDC_CLIENT_ID</b> and <b>OIDC_CLIENT_SECRET</b> people sign in with
          Entra ID, Google, Okta, Keycloak or another provider.
        </EmptyState>
      )}
    </Section>
  )
}

const ProviderFacts = ({ settings }: { readonly settings: SingleSignOnSettings }) => (
  <Stack gap="sm">
    <Fact name="Issuer" value={settings.issuer} />
    <Fact name="Client id" value={settings.client_id} />
    <Fact name="Scopes" value={settings.scopes} />
    <Fact name="Claim with the groups" value={settings.groups_claim} />
    <Fact name="Redirect address" value={settings.redirect_uri} />
    <Fact name="Address after signing out" value={settings.post_logout_redirect_uri} />
    <Fact name="Back-channel logout" value={settings.backchannel_logout_uri} />
    <Text size="sm">
      {settings.password_login
        ? 'Passwords are accepted as well.'
        : 'Passwords are switched off. In an emergency, the operator can allow one account its password for an hour.'}
    </Text>
  </Stack>
)
