import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { hasStatus } from '../../shared/api/api-error.ts'
import { Failure } from '../../shared/ui/failure.tsx'
import { AnchorLink } from '../../shared/ui/links.tsx'
import { AccountStep } from './account-step.tsx'
import type { FinishedSetup } from './finished-setup.ts'
import { Progress } from './progress.tsx'
import { SetupCard } from './setup-card.tsx'
import { useSetupForm } from './use-setup-form.ts'
import { WorkspaceStep } from './workspace-step.tsx'

interface SetupFormProps {
  readonly token: string
  readonly onFinished: (finished: FinishedSetup) => void
}

/** Two steps, sent together at the end: nothing is created before. */
export function SetupForm({ token, onFinished }: SetupFormProps) {
  const form = useSetupForm(token, onFinished)
  const Step = form.step === 'workspace' ? WorkspaceStep : AccountStep
  return (
    <>
      <Progress at={form.step} />
      <SetupCard>
        <form {...form.formProps}>
          {hasStatus(form.failure, 409) && <AlreadySetUp />}
          {form.failure !== null && !hasStatus(form.failure, 409) && (
            <Failure title="Nothing has been set up" error={form.failure} />
          )}
          <Step {...form} />
        </form>
      </SetupCard>
    </>
  )
}

/** Someone else has finished setup first. */
function AlreadySetUp() {
  return (
    <Alert color="yellow" role="alert" mb="md" icon={<IconAlertTriangle size={18} />}>
      <Text size="sm" fw={600}>
        Someone else has just set up this server
      </Text>
      <Text size="sm">
        Nothing of yours was stored. If it was you, in another tab, continue there or{' '}
        <AnchorLink to="/login" size="sm" underline="always">
          sign in
        </AnchorLink>
        ; otherwise ask them for an account.
      </Text>
    </Alert>
  )
}
