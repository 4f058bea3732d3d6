import type { CurrentUser, PasskeyAssertion } from '@burgee/contract'
import { Divider, Stack } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { canAutofill, cancelPasskey, signWithPasskey } from '../../parts/passkeys/ceremonies.ts'
import { call } from '../../shared/api/call.ts'
import { LoginAlert } from './login-alert.tsx'
import { describeFailure, PasskeyButton } from './passkey-button.tsx'

interface PasskeyLoginProps {
  readonly onSignedIn: (user: CurrentUser) => void
}

/** The time after which the browser's offer gets a new challenge: one is valid for five minutes. */
const RENEW_MS = 4 * 60_000

/** Signs in with a passkey: by a button, or by what the browser offers in the field of the e-mail address. */
export function PasskeyLogin({ onSignedIn }: PasskeyLoginProps) {
  const [isPressed, setPressed] = useState(false)
  const failure = useAutofill(isPressed, onSignedIn)
  return (
    <Stack gap="md">
      <Divider label="or" />
      {failure !== null && <LoginAlert message={failure} secondsLeft={0} untilMs={0} />}
      <PasskeyButton
        label="Use a passkey"
        onBusy={setPressed}
        use={async () => onSignedIn(await logIn(await sign(false)))}
      />
    </Stack>
  )
}

/** Signs with a passkey of the browser. */
async function sign(isAutofill: boolean): Promise<PasskeyAssertion> {
  const options = await call('startPasskeyLogin', { body: { purpose: 'login' } })
  return signWithPasskey(options, { isAutofill })
}

const logIn = (passkey: PasskeyAssertion): Promise<CurrentUser> =>
  call('loginWithPasskey', { body: { passkey } })

/**
 * Lets the browser offer passkeys in a field, while nothing else requests one. Returns why the one that the
 * person chose failed. A browser that can offer none shows nothing: the person did not request it.
 */
function useAutofill(isPaused: boolean, onSignedIn: PasskeyLoginProps['onSignedIn']): string | null {
  const [failure, setFailure] = useState<string | null>(null)
  const signedIn = useRef(onSignedIn)
  signedIn.current = onSignedIn
  useEffect(() => {
    if (isPaused) return
    let isOpen = true
    const offer = async () => {
      if (!(await canAutofill()) || !isOpen) return
      const passkey = await sign(true).catch(() => null)
      if (passkey === null || !isOpen) return
      try {
        const user = await logIn(passkey)
        if (isOpen) signedIn.current(user)
      } catch (error) {
        if (isOpen) setFailure(describeFailure(error))
      }
    }
    void offer()
    const timer = setInterval(() => void offer(), RENEW_MS)
    return () => {
      isOpen = false
      setFailure(null)
      clearInterval(timer)
      cancelPasskey()
    }
  }, [isPaused])
  return failure
}
