import { Container, Paper, Title } from '@mantine/core'
import { useRouter, useSearch } from '@tanstack/react-router'
import { LoginForm } from './login-form.tsx'

/** Where nobody is signed in. `next` is the address that was wanted. */
export function LoginPage() {
  const router = useRouter()
  const { next }: { next?: string } = useSearch({ strict: false })
  return (
    <Container size={420} pt={80}>
      <Paper withBorder p="xl" radius="md">
        <Title order={1} size="h3" mb="md">
          Log in to Burgee
        </Title>
        <LoginForm
          onDone={() => router.history.push(next?.startsWith('/') && !next.startsWith('//') ? next : '/')}
        />
      </Paper>
    </Container>
  )
}
