import { Code, Stack, Tabs, Text } from '@mantine/core'
import { IconBrandNodejs, IconBrowser } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { serverUrl } from '../../shared/api/base-path.ts'
import { Snippet } from '../../shared/ui/empty-state.tsx'
import classes from './connect-app.module.css'
import { ConnectionStatus } from './connection-status.tsx'
import { installCommand, masked, PLACEHOLDER_KEY, type Runtime, sdkSnippet } from './sdk-snippet.ts'

interface ConnectAppProps {
  readonly env_id: string
  readonly environment_name: string
  readonly flag_key: string
  readonly runtime: Runtime
  readonly onRuntime: (runtime: Runtime) => void
  /** The real key of the chosen runtime, where this page may know it. */
  readonly sdk_key: string | null
  /** True if the last step is to see it connect; else the page shows that elsewhere. */
  readonly hasStatusStep?: boolean
  /** The permissions of the chosen runtime's key, where it is not the usual kind. */
  readonly aboutKey?: string | undefined
  /** The step that gives a key of the chosen runtime. */
  readonly keyStep: ReactNode
}

/** From nothing to a connected program: the SDK, a key, code to copy, and whether it has arrived. */
export function ConnectApp({ runtime, onRuntime, ...step }: ConnectAppProps) {
  return (
    <Tabs
      value={runtime}
      onChange={(value) => onRuntime(value === 'browser' ? 'browser' : 'node')}
      keepMounted={false}
    >
      <Tabs.List aria-label="Where your code runs" mb="lg">
        <Tabs.Tab value="node" leftSection={<IconBrandNodejs size={16} />}>
          Back end (Node)
        </Tabs.Tab>
        <Tabs.Tab value="browser" leftSection={<IconBrowser size={16} />}>
          Browser
        </Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value={runtime}>
        <Steps runtime={runtime} {...step} />
      </Tabs.Panel>
    </Tabs>
  )
}

function Steps(props: Omit<ConnectAppProps, 'onRuntime'>) {
  const { env_id, environment_name, flag_key, hasStatusStep = true, keyStep, runtime, sdk_key } = props
  const { aboutKey = ABOUT_KEY[runtime] } = props
  const key = sdk_key ?? PLACEHOLDER_KEY[runtime]
  const code = sdkSnippet({ runtime, url: serverUrl(), sdk_key: key, flag_key })
  return (
    <ol className={classes.steps}>
      <Step title="Get a key">
        <Text size="sm" c="dimmed">
          {aboutKey}
        </Text>
        {keyStep}
      </Step>
      <Step title="Install the SDK">
        <Snippet code={installCommand(serverUrl())} label="Copy the command" name="Command" />
        <Text size="sm" c="dimmed">
          It is not on the npm registry yet. This server has it, in the version that fits.
        </Text>
      </Step>
      <Step title="Run this">
        <Snippet
          code={code}
          label="Copy the code"
          name="Program"
          {...(sdk_key !== null && { shown: masked(code, sdk_key) })}
        />
        <Text size="sm" c="dimmed">
          {sdk_key === null
            ? `Put your key in place of ${PLACEHOLDER_KEY[runtime]}.`
            : 'The key is hidden here; the copied code holds it.'}
        </Text>
        <Text size="sm" c="dimmed">
          {HOW_TO_RUN[runtime]}
        </Text>
      </Step>
      {hasStatusStep && (
        <Step title="See it connect">
          <ConnectionStatus env_id={env_id} environment_name={environment_name} />
        </Step>
      )}
    </ol>
  )
}

const ABOUT_KEY: Readonly<Record<Runtime, string>> = {
  node: 'A reader key reads flags and sends reports, nothing else. Keep it on your servers: it lets anyone read the rules of your flags.',
  browser:
    'A client key reads flags and sends reports, nothing else. Everyone who opens your page can see it and read the rules of your flags.',
}

const HOW_TO_RUN: Readonly<Record<Runtime, ReactNode>> = {
  node: (
    <>
      Save it as <Code>hello.mjs</Code> and run <Code>node hello.mjs</Code>.
    </>
  ),
  browser: 'Put it into a script of your page and look at the console.',
}

function Step({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <li className={classes.step}>
      <Text fw={600} mb={6} component="h2" size="md">
        {title}
      </Text>
      <Stack gap={8}>{children}</Stack>
    </li>
  )
}
