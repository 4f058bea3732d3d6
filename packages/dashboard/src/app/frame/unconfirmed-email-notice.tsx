import { Alert, Button, Group, Text } from '@mantine/core'
import { IconMailQuestion } from '@tabler/icons-react'
import { call } from '../../shared/api/call.ts'
import { useMe } from '../../shared/scope/use-me.ts'
import { notifyFailure, notifySuccess } from '../../shared/ui/notify.tsx'
import { Time } from '../../shared/ui/time.tsx'

/** A notice that SCIM has changed the person's e-mail address, with the button that confirms it. */
export function UnconfirmedEmailNotice() {
  const me = useMe()
  if (me?.email_unconfirmed_since === undefined) return null
  const { email, email_unconfirmed_since } = me
  const confirm = async () => {
    try {
      await call('confirmOwnEmail', { body: { email } })
      notifySuccess({ message: 'The address is confirmed.' })
    } catch (failure) {
      notifyFailure('The address is not confirmed', failure)
    }
  }
  return (
    <Alert color="yellow" mb="md" icon={<IconMailQuestion size={18} />}>
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          Provisioning changed your e-mail address to <b dir="auto">{email}</b> on{' '}
          <Time at={email_unconfirmed_since} size="sm" />. Confirm it if it is yours, and inform a workspace
          admin if it is not. Until then no link is sent to it.
        </Text>
        <Button size="xs" variant="default" onClick={() => void confirm()}>
          It is my address
        </Button>
      </Group>
    </Alert>
  )
}
