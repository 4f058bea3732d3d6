import { Stack, Tabs } from '@mantine/core'
import { useMe } from '../../shared/scope/use-me.ts'
import { useUrlState } from '../../shared/scope/use-url-state.ts'
import { AdminsOnly } from '../../shared/ui/admins-only.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { KeysPolicy } from './keys-policy.tsx'
import { UsersTab } from './users/users-tab.tsx'
import { WorkspaceName } from './workspace-name.tsx'

/** The people of the installation and its name: for workspace admins. */
export function WorkspacePage() {
  const me = useMe()
  const [{ tab }, setAddress] = useUrlState({ tab: 'users', q: '' })
  return (
    <Page title="Workspace and users" width="reading" description={me?.workspace_name}>
      <AdminsOnly
        reads="listUsers"
        title="The workspace is for its admins"
        about="Here workspace admins create users and name the workspace."
      >
        <Tabs
          value={tab === 'general' ? 'general' : 'users'}
          onChange={(value) => setAddress({ tab: value ?? 'users', q: '' }, { replace: false })}
          keepMounted={false}
        >
          <Tabs.List mb="lg" aria-label="Workspace">
            <Tabs.Tab value="users">Users</Tabs.Tab>
            <Tabs.Tab value="general">General</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="users">
            <UsersTab />
          </Tabs.Panel>
          <Tabs.Panel value="general">
            <Stack gap="xl">
              {me && <WorkspaceName name={me.workspace_name} />}
              <KeysPolicy />
            </Stack>
          </Tabs.Panel>
        </Tabs>
      </AdminsOnly>
    </Page>
  )
}
