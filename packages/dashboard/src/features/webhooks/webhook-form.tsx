import type { Webhook } from '@burgee/contract'
import { Stack, Switch, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../shared/api/call.ts'
import { refresh } from '../../shared/api/queries.ts'
import { changedFields } from '../../shared/forms/changed-fields.ts'
import { requireFilled } from '../../shared/forms/field-errors.ts'
import { FormActions } from '../../shared/forms/form-actions.tsx'
import { useSubmit } from '../../shared/forms/use-submit.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { Failure } from '../../shared/ui/failure.tsx'
import { notifySuccess } from '../../shared/ui/notify.tsx'
import { KEPT_SECRET, type SecretChoice, secretToSend } from './secret-choice.ts'
import { SecretField } from './secret-field.tsx'

interface WebhookFormProps {
  readonly webhook: Webhook | null
  readonly onDone: () => void
}

export function WebhookForm({ webhook, onDone }: WebhookFormProps) {
  const { environment_id } = useScope()
  const client = useQueryClient()
  // A receiver that answers 410 is disabled meanwhile: only what is changed here is sent.
  const [before] = useState(webhook)
  const [name, setName] = useState(webhook?.name ?? '')
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [enabled, setEnabled] = useState(webhook?.enabled ?? true)
  const [secret, setSecret] = useState<SecretChoice>(KEPT_SECRET)
  const { errors, failure, formProps, isBusy } = useSubmit(['name', 'url', 'secret'], async () => {
    requireFilled([
      ['name', name, 'Give it a name.'],
      ['url', url, 'Say where events are posted.'],
      ...(secret.kind === 'set'
        ? ([['secret', secret.text, 'Type a secret, or generate one.']] as const)
        : []),
    ])
    const fields = { name, url: url.trim(), enabled }
    const sentSecret = secretToSend(secret)
    if (before) {
      const body = { ...changedFields(before, fields), ...sentSecret }
      await call('updateWebhook', { params: { env_id: environment_id, id: before.id }, body })
    } else {
      await call('createWebhook', { params: { env_id: environment_id }, body: { ...fields, ...sentSecret } })
    }
    await refresh(client, 'listWebhooks')
    notifySuccess({ message: webhook ? 'The webhook is saved.' : 'The webhook is created.' })
    onDone()
  })
  return (
    <form {...formProps}>
      <Stack>
        {failure !== null && <Failure error={failure} />}
        <TextInput
          label="Name"
          placeholder="Deploy bot"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={errors.name}
          autoComplete="off"
          data-autofocus
        />
        <TextInput
          label="URL"
          description="Answer with a 2xx within 10 seconds. Redirects are not followed."
          placeholder="https://example.com/hooks/burgee"
          type="url"
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
          error={errors.url}
          autoComplete="off"
          spellCheck={false}
        />
        <SecretField
          has_secret={webhook?.has_secret ?? false}
          choice={secret}
          onChange={setSecret}
          error={errors.secret}
        />
        <Switch
          label="Enabled"
          description="A disabled webhook receives no events. Events of that time are not sent later."
          checked={enabled}
          onChange={(event) => setEnabled(event.currentTarget.checked)}
        />
        <FormActions
          submitLabel={webhook ? 'Save webhook' : 'Create webhook'}
          isBusy={isBusy}
          onCancel={onDone}
        />
      </Stack>
    </form>
  )
}
