import { PASSWORD_MIN_LENGTH } from '@burgee/contract'
import { Button, Checkbox, PasswordInput, Stack } from '@mantine/core'
import { useState } from 'react'
import { hasStatus } from '../../shared/api/api-error.ts'
import { send } from '../../shared/api/call.ts'
import { requireFilled } from '../../shared/forms/field-errors.ts'
import { useSubmit } from '../../shared/forms/use-submit.ts'
import { useMe } from '../../shared/scope/use-me.ts'
import { Failure } from '../../shared/ui/failure.tsx'
import { notifySuccess } from '../../shared/ui/notify.tsx'
import { Section } from '../../shared/ui/section.tsx'

/** One's own password. The fields are emptied only when it was changed. */
export function PasswordForm() {
  const me = useMe()
  const [current_password, setCurrent] = useState('')
  const [new_password, setNew] = useState('')
  const [revoke_tokens, setRevoke] = useState(true)
  const fields = ['current_password', 'new_password']
  const { errors, failure, formProps, isBusy } = useSubmit(fields, async () => {
    requireFilled([
      ['current_password', current_password, 'Enter your current password.'],
      ['new_password', new_password, 'Enter a new password.'],
    ])
    const passwords = { current_password, new_password, password_policy: 'strict' } as const
    await send('changePassword', { body: { ...passwords, revoke_tokens } })
    setCurrent('')
    setNew('')
    const ended = revoke_tokens
      ? 'Your other sessions have ended, and your tokens are revoked.'
      : 'Your other sessions have ended.'
    notifySuccess({ message: `Your password is changed. ${ended}` })
  })
  const isWrong = hasStatus(failure, 403)
  return (
    <Section title="Change password" description="A change ends your sessions in other browsers." isBoxed>
      <form {...formProps}>
        <Stack maw={420}>
          {failure !== null && !isWrong && <Failure error={failure} />}
          <input type="email" autoComplete="username" value={me?.email ?? ''} readOnly hidden />
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            value={current_password}
            onChange={(event) => setCurrent(event.currentTarget.value)}
            error={isWrong ? 'This is not your current password.' : errors.current_password}
          />
          <PasswordInput
            label="New password"
            description={`At least ${PASSWORD_MIN_LENGTH} characters.`}
            autoComplete="new-password"
            value={new_password}
            onChange={(event) => setNew(event.currentTarget.value)}
            error={errors.new_password}
          />
          <Checkbox
            label="Revoke my personal access tokens"
            description="Leave it on if someone else may know the old password. Programs that use a token need a new one."
            checked={revoke_tokens}
            onChange={(event) => setRevoke(event.currentTarget.checked)}
          />
          <Button type="submit" loading={isBusy} w="fit-content">
            Change password
          </Button>
        </Stack>
      </form>
    </Section>
  )
}
