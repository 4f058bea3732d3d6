import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { IconArrowBigUpLine } from '@tabler/icons-react'
import { type KeyboardEvent, useState } from 'react'
import classes from './login-form.module.css'

/** A password that states when Caps Lock is on, since its letters cannot be seen. */
export function CapsLockPassword(props: PasswordInputProps & { readonly ref?: React.Ref<HTMLInputElement> }) {
  const [isCaps, setCaps] = useState(false)
  const look = (event: KeyboardEvent) => setCaps(event.getModifierState('CapsLock'))
  return (
    <div>
      <PasswordInput {...props} onKeyDown={look} onKeyUp={look} onBlur={() => setCaps(false)} />
      <div role="status">
        {isCaps && (
          <span className={classes.caps}>
            <IconArrowBigUpLine size={15} aria-hidden="true" /> Caps Lock is on
          </span>
        )}
      </div>
    </div>
  )
}
