import { Stack, Tabs } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useMe } from '../../shared/scope/use-me.ts'
import { useUrlState } from '../../shared/scope/use-url-state.ts'
import { AdminsOnly } from '../../shared/ui/admins-only.tsx'
import { ButtonLink } from '../../shared/ui/links.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { KeysPolicy } from './keys-policy.tsx'
import { RolesTab } from './roles/roles-tab.tsx'
import { SecondFactorPolicy } from './second-factor-policy.tsx'
import { ServiceAccountsTab } from './service-accounts/service-accounts-tab.tsx'
import { SingleSignOnTab } from './single-sign-on/single-sign-on-tab.tsx'
import { UsersTab } from './users/users-tab.tsx'
import { WorkspaceName } from './workspace-name.tsx'

const TABS: readonly string[] = ['users', 'roles', 'service-accounts', 'general', 'sso']

/** The people of the installation, their roles and its name: for workspace admins. */
export function WorkspacePage() {
  const me = useMe()
  const [{ tab }, setAddress] = useUrlState({ tab: 'users', q: '' })
  return (
    <Page
      title="Workspace and users"
      width="reading"
      description={me?.workspace_name}
      {...(me?.role === 'admin' && { actions: <AuditLogLink /> })}
    >
      <AdminsOnly
        reads="listUsers"
        title="The workspace is for its admins"
        about="Here workspace admins create users and roles, and name the workspace."
      >
        <Tabs
          value={TABS.includes(tab) ? tab : 'users'}
          onChange={(value) => setAddress({ tab: value ?? 'users', q: '' }, { replace: false })}
          keepMounted={false}
        >
          <Tabs.List mb="lg" aria-label="Workspace">
            <Tabs.Tab value="users">Users</Tabs.Tab>
            <Tabs.Tab value="roles">Roles</Tabs.Tab>
            <Tabs.Tab value="service-accounts">Service accounts</Tabs.Tab>
            <Tabs.Tab value="general">General</Tabs.Tab>
            <Tabs.Tab value="sso">Single sign-on and SCIM</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="users">
            <UsersTab />
          </Tabs.Panel>
          <Tabs.Panel value="roles">
            <RolesTab />
          </Tabs.Panel>
          <Tabs.Panel value="service-accounts">
            <ServiceAccountsTab />
          </Tabs.Panel>
          <Tabs.Panel value="sso">
            <SingleSignOnTab />
          </Tabs.Panel>
          <Tabs.Panel value="general">
            <Stack gap="xl">
              {me && <WorkspaceName name={me.workspace_name} />}
              <SecondFactorPolicy />
              <KeysPolicy />
            </Stack>
          </Tabs.Panel>
        </Tabs>
      </AdminsOnly>
    </Page>
  )
}

const AuditLogLink = () => (
  <ButtonLink variant="default" to="/workspace/audit" leftSection={<IconHistory size={16} />}>
    Audit log
  </ButtonLink>
)
