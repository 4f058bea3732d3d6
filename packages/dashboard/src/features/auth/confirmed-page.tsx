import { Paper, Text, Title } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { AuthLayout } from '../../shared/ui/auth-layout.tsx'
import { sendConfirmation } from './confirmation-channel.ts'
import classes from './login-form.module.css'

/** The end of a confirmation in a window of its own, which closes. */
export function ConfirmedPage() {
  const { sso_error }: { sso_error?: string } = useSearch({ strict: false })
  useEffect(() => {
    sendConfirmation({ failure: sso_error ?? null })
    window.close()
  }, [sso_error])
  return (
    <AuthLayout title="Confirmed">
      <Paper withBorder p={{ base: 'lg', xs: 32 }} radius="lg" className={classes.card}>
        <Title order={1} size="h3" mb="sm">
          {sso_error === undefined ? 'Confirmed' : 'Not confirmed'}
        </Title>
        <Text size="sm">You can close this window.</Text>
      </Paper>
    </AuthLayout>
  )
}
