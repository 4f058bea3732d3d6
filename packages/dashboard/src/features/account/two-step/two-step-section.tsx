import type { SecondFactors } from '@burgee/contract'
import { Alert, Skeleton, Stack } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { endpointQuery } from '../../../shared/api/queries.ts'
import { Failure } from '../../../shared/ui/failure.tsx'
import { Section } from '../../../shared/ui/section.tsx'
import { Time } from '../../../shared/ui/time.tsx'
import { AppPart } from './app-part.tsx'
import { CodesDialog } from './codes-dialog.tsx'
import { PasskeysPart } from './passkeys-part.tsx'
import { RecoveryPart } from './recovery-part.tsx'

/** The second factors of one's own account. */
export function TwoStepSection() {
  const { data, error, refetch } = useQuery(endpointQuery('getSecondFactors', {}))
  const [codes, setCodes] = useState<readonly string[]>([])
  const isOn = data !== undefined && (data.totp !== null || data.passkeys.length > 0)
  return (
    <>
      <Section
        title="Passkeys"
        description="Sign in with a fingerprint, a face or a PIN instead of the password. A passkey also counts as second factor."
        isBoxed
      >
        {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
        {!data && error === null && <Skeleton height={60} />}
        {data && <PasskeysPart passkeys={data.passkeys} onAdded={setCodes} />}
      </Section>
      <Section
        title="Two-step verification"
        description="A stolen password is not enough: to sign in, a passkey or a code from your phone is needed too."
        isBoxed
      >
        {!data && error === null && <Skeleton height={60} />}
        {data && (
          <Stack>
            <Notices factors={data} />
            <AppPart totp={data.totp} isLast={data.passkeys.length === 0} onAdded={setCodes} />
            {isOn && <RecoveryPart left={data.recovery_codes_left} onRenewed={setCodes} />}
          </Stack>
        )}
      </Section>
      {codes.length > 0 && <CodesDialog codes={codes} onClose={() => setCodes([])} />}
    </>
  )
}

/** Notices of what the workspace requests, and of what an admin did. */
function Notices({ factors: { due_at, reset_at } }: { readonly factors: SecondFactors }) {
  return (
    <>
      {reset_at !== null && (
        <Alert
          color="yellow"
          icon={<IconAlertTriangle size={18} />}
          title="An admin removed your second factors"
        >
          This was <Time at={reset_at} />. If you did not request it, change your password and talk to an
          admin.
        </Alert>
      )}
      {due_at !== null && (
        <Alert
          color="yellow"
          icon={<IconAlertTriangle size={18} />}
          title="This workspace requires a second factor"
        >
          {Date.parse(due_at) <= Date.now() ? (
            'Add a passkey or an authenticator app to continue. Everything else is unavailable until then.'
          ) : (
            <>
              Add a passkey or an authenticator app. Without one, your account is closed from{' '}
              <Time at={due_at} /> on.
            </>
          )}
        </Alert>
      )}
    </>
  )
}
