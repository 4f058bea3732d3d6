import { Button, Code, Stack, Text, TextInput, Title } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { hasStatus } from '../../shared/api/api-error.ts'
import { serverUrl } from '../../shared/api/base-path.ts'
import { Failure } from '../../shared/ui/failure.tsx'
import classes from './setup.module.css'
import { SetupCard } from './setup-card.tsx'

interface TokenFormProps {
  /** The error of the token that was tried last; null before the first. */
  readonly error: unknown
  readonly onToken: (token: string) => Promise<void>
}

/** The field for the one-time token, with the place where the token is found. */
export function TokenForm({ error, onToken }: TokenFormProps) {
  const [token, setToken] = useState('')
  const [isEmpty, setEmpty] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  const submit = async () => {
    const pasted = tokenIn(token)
    setEmpty(pasted === '')
    if (pasted === '' || isBusy) return
    setBusy(true)
    await onToken(pasted)
    setBusy(false)
  }
  const isWrong = hasStatus(error, 401)
  return (
    <SetupCard>
      <Title order={1} size="h3">
        Set up Burgee
      </Title>
      <Text c="dimmed" mt={4} mb="lg">
        This server is not set up yet. Enter its setup token to show that it is yours.
      </Text>
      <Text size="sm" mb={6}>
        The server prints the token when it starts:
      </Text>
      <Code block className={classes.printed}>
        Set up Burgee: {serverUrl()}/setup?token=<b>…</b>
      </Code>
      <Text size="sm" mt={6} mb="lg">
        If you started it with <Code>SETUP_TOKEN</Code>, that is the token.
      </Text>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <Stack>
          {error !== null && !isWrong && <Failure error={error} title="The token could not be checked" />}
          <TextInput
            label="Setup token"
            description="Or the whole address that the server printed."
            error={problemOf({ isEmpty, isWrong })}
            value={token}
            onChange={(event) => setToken(event.currentTarget.value)}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            ref={input}
          />
          <Button type="submit" loading={isBusy} w="fit-content">
            Continue
          </Button>
        </Stack>
      </form>
    </SetupCard>
  )
}

function problemOf({ isEmpty, isWrong }: { isEmpty: boolean; isWrong: boolean }): string | null {
  if (isEmpty) return 'Paste the token, or the whole address.'
  return isWrong ? 'This is not the token. Copy it again from the last lines that the server printed.' : null
}

/** The whole printed address will do as well. */
const tokenIn = (pasted: string): string => /[?&]token=([^&\s]+)/.exec(pasted)?.[1] ?? pasted.trim()
