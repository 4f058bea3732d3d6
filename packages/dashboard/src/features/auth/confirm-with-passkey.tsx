import { signWithPasskey } from '../../parts/passkeys/ceremonies.ts'
import { call } from '../../shared/api/call.ts'
import { PasskeyButton } from './passkey-button.tsx'

/** Confirms with a passkey that it is still the person who signed in. It needs no password. */
export function ConfirmWithPasskey({ onConfirmed }: { readonly onConfirmed: () => void }) {
  const use = async () => {
    const passkey = await signWithPasskey(await call('startPasskeyConfirmation', {}))
    await call('reauthenticate', { body: { passkey } })
    onConfirmed()
  }
  return <PasskeyButton label="Confirm with a passkey" use={use} />
}
