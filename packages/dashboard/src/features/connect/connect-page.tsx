import { Box, Tabs } from '@mantine/core'
import { ConnectApp } from '../../parts/connect-app/connect-app.tsx'
import { ConnectionStatus } from '../../parts/connect-app/connection-status.tsx'
import { useScope } from '../../shared/scope/use-scope.ts'
import { useUrlState } from '../../shared/scope/use-url-state.ts'
import { Page } from '../../shared/ui/page.tsx'
import { ClientsTab } from './clients-tab.tsx'
import { KnownKeys } from './known-keys.tsx'

const EXAMPLE_FLAG = 'new-checkout'

/** The page about connecting a program to this environment. It also shows whether any is connected. */
export function ConnectPage() {
  const { environment_id, environment } = useScope()
  const [{ runtime, tab }, setUrl] = useUrlState({ runtime: 'node', tab: 'app' })
  const chosen = runtime === 'browser' ? 'browser' : 'node'
  const name = environment?.name ?? 'this environment'
  return (
    <Page
      title="Connect your app"
      width="reading"
      description={`The SDK keeps the flags of ${name} in your program and follows every change.`}
    >
      <Box mb="lg">
        <ConnectionStatus env_id={environment_id} environment_name={name} />
      </Box>
      <Tabs value={tab} keepMounted={false} onChange={(next) => setUrl({ tab: next ?? 'app' })}>
        <Tabs.List mb="lg" aria-label="Connect your app">
          <Tabs.Tab value="app">Your app</Tabs.Tab>
          <Tabs.Tab value="clients">Clients</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="app">
          <ConnectApp
            env_id={environment_id}
            environment_name={name}
            flag_key={EXAMPLE_FLAG}
            runtime={chosen}
            onRuntime={(next) => setUrl({ runtime: next })}
            sdk_key={null}
            hasStatusStep={false}
            keyStep={<KnownKeys runtime={chosen} />}
          />
        </Tabs.Panel>
        <Tabs.Panel value="clients">
          <ClientsTab env_id={environment_id} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}
