import { Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { AuthLayout } from '../../shared/ui/auth-layout.tsx'
import { SkeletonRows } from '../../shared/ui/skeleton-rows.tsx'
import { ConnectStep } from './connect-step.tsx'
import type { FinishedSetup } from './finished-setup.ts'
import { Progress } from './progress.tsx'
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
        <ConnectStep finished={finished} />
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
