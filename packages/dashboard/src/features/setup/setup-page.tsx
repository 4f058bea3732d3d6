import { Alert, Text, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { FirstKeys } from '../../parts/connect-app/first-keys.tsx'
import { COOKIE_DROPPED } from '../../shared/api/is-cookie-dropped.ts'
import { AuthLayout } from '../../shared/ui/auth-layout.tsx'
import { SkeletonRows } from '../../shared/ui/skeleton-rows.tsx'
import { ConnectStep } from './connect-step.tsx'
import type { FinishedSetup } from './finished-setup.ts'
import { Progress } from './progress.tsx'
import { SetupCard } from './setup-card.tsx'
import { SetupForm } from './setup-form.tsx'
import { TokenForm } from './token-form.tsx'
import { useSetupToken } from './use-setup-token.ts'

/** The wizard: the workspace and the first project, the first admin, the first connected program. */
export function SetupPage() {
  const token = useSetupToken()
  const [finished, setFinished] = useState<FinishedSetup | null>(null)
  if (finished) {
    return (
      <AuthLayout title="Connect your app" width="wide">
        <Progress at="connect" />
        {finished.hasSession ? <ConnectStep finished={finished} /> : <KeyWithoutSession {...finished} />}
      </AuthLayout>
    )
  }
  // Signed in it leads to the flags, and to the login otherwise.
  if (token.state === 'complete') return <Navigate to="/" replace />
  return (
    <AuthLayout title="Set up Burgee" width="wide">
      {token.state === 'checking' && <SkeletonRows rows={6} height={48} />}
      {token.state === 'asked' && <TokenForm error={token.error} onToken={token.check} />}
      {token.state === 'accepted' && <SetupForm token={token.token} onFinished={setFinished} />}
    </AuthLayout>
  )
}

/** The key is shown only once, also to an admin who cannot sign in from here. */
function KeyWithoutSession({ sdk_key, user }: FinishedSetup) {
  return (
    <SetupCard>
      <Title order={1} size="h3">
        {user.workspace_name} is ready
      </Title>
      <Alert color="yellow" role="alert" my="md" icon={<IconAlertTriangle size={18} />}>
        <Text size="sm" fw={600}>
          You are not signed in
        </Text>
        <Text size="sm">{COOKIE_DROPPED} Copy the key first: it is shown only here.</Text>
      </Alert>
      <FirstKeys readerKey={null} serverKey={sdk_key} />
    </SetupCard>
  )
}
