import { Stack, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../../shared/api/queries.ts'
import { useMe } from '../../shared/scope/use-me.ts'
import { useUrlState } from '../../shared/scope/use-url-state.ts'
import { Page } from '../../shared/ui/page.tsx'
import { IdentitySection } from './identity-section.tsx'
import { PasswordForm } from './password-form.tsx'
import { Profile } from './profile.tsx'
import { SessionsTab } from './sessions/sessions-tab.tsx'
import { TokensTab } from './tokens/tokens-tab.tsx'
import { TwoStepSection } from './two-step/two-step-section.tsx'

const TABS = [
  { value: 'tokens', label: 'Tokens' },
  { value: 'sessions', label: 'Sessions' },
  { value: 'password', label: 'Security' },
  { value: 'profile', label: 'Profile' },
] as const

/** Accounts that sign in with an identity provider only have no password to change. */
function OwnPassword() {
  const { data } = useQuery(endpointQuery('getOwnIdentity', {}))
  return data?.has_password === false ? null : <PasswordForm />
}

/** The page of the signed-in person's own settings. */
export function AccountPage() {
  const me = useMe()
  const [{ tab }, setAddress] = useUrlState({ tab: 'tokens' })
  const shown = TABS.some(({ value }) => value === tab) ? tab : 'tokens'
  return (
    <Page title="My account" width="reading" description={me?.email}>
      <Tabs
        value={shown}
        onChange={(value) => setAddress({ tab: value ?? 'tokens' }, { replace: false })}
        keepMounted={false}
      >
        <Tabs.List mb="lg" aria-label="My account">
          {TABS.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="tokens">
          <TokensTab />
        </Tabs.Panel>
        <Tabs.Panel value="sessions">
          <SessionsTab />
        </Tabs.Panel>
        <Tabs.Panel value="password">
          <Stack gap="xl">
            <OwnPassword />
            <TwoStepSection />
            <IdentitySection />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="profile">{me && <Profile me={me} />}</Tabs.Panel>
      </Tabs>
    </Page>
  )
}
