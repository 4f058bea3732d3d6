import { SECOND_FACTOR_GRACE_DAYS_MAX, type WorkspaceSettings } from '@burgee/contract'
import { Button, Group, NumberInput, Skeleton, Stack, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../shared/api/call.ts'
import { endpointQuery } from '../../shared/api/queries.ts'
import { useSubmit } from '../../shared/forms/use-submit.ts'
import { Failure } from '../../shared/ui/failure.tsx'
import { notifySuccess } from '../../shared/ui/notify.tsx'
import { Section } from '../../shared/ui/section.tsx'

/** The rule of the workspace about second factors. */
export function SecondFactorPolicy() {
  const { data, error, refetch } = useQuery(endpointQuery('getWorkspaceSettings', {}))
  return (
    <Section
      title="Two-step verification"
      description="Each person adds a passkey or an authenticator app on their account page."
      isBoxed
    >
      {error !== null && (
        <Failure error={error} title="The setting could not be loaded" onRetry={() => void refetch()} />
      )}
      {!data && error === null && <Skeleton height={120} />}
      {data && <PolicyForm settings={data} />}
    </Section>
  )
}

function PolicyForm({ settings }: { readonly settings: WorkspaceSettings }) {
  const [isRequired, setRequired] = useState(settings.second_factor === 'required')
  const [days, setDays] = useState<number | string>(settings.second_factor_grace_days)
  const { errors, failure, formProps, isBusy } = useSubmit(['second_factor_grace_days'], async () => {
    const second_factor = isRequired ? 'required' : 'optional'
    await call('updateWorkspace', { body: { second_factor, second_factor_grace_days: Number(days) } })
    notifySuccess({
      message: isRequired ? 'A second factor is required now.' : 'A second factor is optional now.',
    })
  })
  return (
    <form {...formProps}>
      <Stack>
        {failure !== null && <Failure error={failure} />}
        <Switch
          label="Require a second factor"
          description="For everyone who signs in with a password. With single sign-on, the identity provider decides."
          checked={isRequired}
          onChange={(event) => setRequired(event.currentTarget.checked)}
        />
        <NumberInput
          label="Grace period in days"
          description="After it, an account without a second factor can only add one."
          maw={220}
          min={0}
          max={SECOND_FACTOR_GRACE_DAYS_MAX}
          allowDecimal={false}
          disabled={!isRequired}
          value={days}
          error={errors.second_factor_grace_days}
          onChange={setDays}
        />
        <Group>
          <Button type="submit" loading={isBusy}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
