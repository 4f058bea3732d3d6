import { Text, Title } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { ConnectApp } from '../../parts/connect-app/connect-app.tsx'
import { ABOUT_LONE_SERVER_KEY, FirstKeys } from '../../parts/connect-app/first-keys.tsx'
import type { Runtime } from '../../parts/connect-app/sdk-snippet.ts'
import { ClientKey } from './client-key.tsx'
import type { FinishedSetup } from './finished-setup.ts'
import { FirstFlag } from './first-flag.tsx'
import classes from './setup.module.css'
import { SetupCard } from './setup-card.tsx'

const FIRST_FLAG = 'new-checkout'

/** Everything is set up: the key is shown this once, and the first program connects. */
export function ConnectStep({ finished }: { readonly finished: FinishedSetup }) {
  const { project, readerKey, sdk_key, user } = finished
  const backendKey = readerKey ?? sdk_key.key
  const [runtime, setRuntime] = useState<Runtime>('node')
  const [clientKey, setClientKey] = useState<string | null>(null)
  const [flag_key, setFlagKey] = useState(FIRST_FLAG)
  const heading = useRef<HTMLHeadingElement>(null)
  // The field that had the focus is gone: reading goes on here.
  useEffect(() => heading.current?.focus(), [])
  const place = { project_id: project.id, environment_id: sdk_key.environment_id }
  return (
    <SetupCard>
      <Title order={1} size="h3" ref={heading} tabIndex={-1} className={classes.heading}>
        {user.workspace_name} is ready
      </Title>
      <Text c="dimmed" mt={4} mb="lg" className={classes.breakable}>
        You are signed in as {user.email}. Now connect a program to {project.name}.
      </Text>
      <ConnectApp
        env_id={place.environment_id}
        environment_name={sdk_key.environment_name}
        flag_key={flag_key}
        runtime={runtime}
        onRuntime={setRuntime}
        sdk_key={runtime === 'node' ? backendKey : clientKey}
        aboutKey={runtime === 'node' && readerKey === null ? ABOUT_LONE_SERVER_KEY : undefined}
        keyStep={
          runtime === 'node' ? (
            <FirstKeys readerKey={readerKey} serverKey={sdk_key} />
          ) : (
            <ClientKey {...place} secret={clientKey} onCreated={setClientKey} />
          )
        }
      />
      <FirstFlag {...place} flag_key={flag_key} onFlagKey={setFlagKey} />
    </SetupCard>
  )
}
