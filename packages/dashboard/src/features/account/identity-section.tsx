import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconKey } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { BASE_PATH } from '../../shared/api/base-path.ts'
import { call } from '../../shared/api/call.ts'
import { endpointQuery } from '../../shared/api/queries.ts'
import { confirm } from '../../shared/forms/confirm.tsx'
import { describeSsoFailure } from '../../shared/sso-failure.ts'
import { Section } from '../../shared/ui/section.tsx'
import { Time } from '../../shared/ui/time.tsx'

const LINK = `${BASE_PATH}/api/auth/sso/start?purpose=link&return_to=${encodeURIComponent('/account?tab=password')}`

/** The link of one's own account with the identity provider. Without a provider there is nothing. */
export function IdentitySection() {
  const { sso_error }: { sso_error?: string } = useSearch({ strict: false })
  const { data } = useQuery(endpointQuery('getOwnIdentity', {}))
  if (!data || data.label === null) return null
  const { email, has_password, is_linked, label, linked_at } = data
  const failure = describeSsoFailure(sso_error, label)
  const unlink = () =>
    confirm({
      title: `Unlink ${label}`,
      children: `You sign in with your password from then on. Roles that groups of ${label} gave you are taken away.`,
      confirmLabel: 'Unlink',
      onConfirm: async () => {
        await call('unlinkOwnIdentity', {})
      },
    })
  return (
    <Section title={`Sign in with ${label}`} isBoxed>
      <Stack>
        {failure !== null && (
          <Alert color="red" role="alert" icon={<IconAlertTriangle size={18} />}>
            {failure}
          </Alert>
        )}
        {is_linked ? (
          <Text size="sm">
            Linked as <b>{email}</b>
            {linked_at !== null && (
              <>
                {' '}
                since <Time at={linked_at} />
              </>
            )}
            .
          </Text>
        ) : (
          <Text size="sm">
            Not linked. {label} must know you with the verified e-mail address of this account.
          </Text>
        )}
        {!is_linked && (
          <Button component="a" href={LINK} w="fit-content" leftSection={<IconKey size={17} />}>
            Link {label}
          </Button>
        )}
        {is_linked && has_password && (
          <Button variant="default" w="fit-content" onClick={unlink}>
            Unlink
          </Button>
        )}
        {is_linked && !has_password && (
          <Text size="sm" c="dimmed">
            Your account has no password, so this is how you sign in.
          </Text>
        )}
      </Stack>
    </Section>
  )
}
