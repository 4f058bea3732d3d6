import type { Integration } from '@burgee/contract'
import { Group, Radio, Stack, Switch, TextInput } from '@mantine/core'
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
import { CHAT_KINDS, type ChatKind } from './chat-kinds.tsx'
import { type EventChoice, EventsField } from './events-field.tsx'

interface IntegrationFormProps {
  readonly integration: Integration | null
  readonly onDone: () => void
}

export function IntegrationForm({ integration, onDone }: IntegrationFormProps) {
  const { environment_id: env_id } = useScope()
  const client = useQueryClient()
  const [before] = useState(integration)
  const [kind, setKind] = useState<ChatKind>(integration?.kind ?? 'slack')
  const [name, setName] = useState(integration?.name ?? '')
  const [webhook_url, setUrl] = useState('')
  const [choice, setChoice] = useState<EventChoice>(choiceOf(integration))
  const [enabled, setEnabled] = useState(integration?.enabled ?? true)
  const { errors, failure, formProps, isBusy } = useSubmit(['name', 'webhook_url', 'events'], async () => {
    const named = ['name', name, 'Give it a name, such as that of the channel.'] as const
    const some = ['events', choice === 'all' ? 'all' : choice.join(), 'Tick at least one event.'] as const
    const fields = { name, events: choice === 'all' ? [] : [...choice], enabled }
    const url = webhook_url.trim()
    if (before) {
      requireFilled([named, some])
      const body = { ...changedFields(before, fields), ...(url !== '' && { webhook_url: url }) }
      await call('updateIntegration', { params: { env_id, id: before.id }, body })
    } else {
      requireFilled([named, ['webhook_url', url, 'Paste the address that the chat gave you.'], some])
      await call('createIntegration', { params: { env_id }, body: { kind, webhook_url: url, ...fields } })
    }
    await refresh(client, 'listIntegrations')
    notifySuccess({
      message: integration ? 'The alert is saved.' : 'The alert is created. Test it now.',
    })
    onDone()
  })
  return (
    <form {...formProps}>
      <Stack>
        {failure !== null && <Failure error={failure} />}
        {!integration && <KindField kind={kind} onChange={setKind} />}
        <TextInput
          label="Name"
          placeholder="Releases"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={errors.name}
          autoComplete="off"
          data-autofocus
        />
        <TextInput
          label={integration ? 'New address' : 'Address'}
          description={
            integration
              ? `Leave it empty to keep ${integration.webhook_url_preview}`
              : `${CHAT_KINDS[kind].where} It lets anyone post to the chat, so it is never shown again.`
          }
          placeholder={CHAT_KINDS[kind].placeholder}
          type="url"
          value={webhook_url}
          onChange={(event) => setUrl(event.currentTarget.value)}
          error={errors.webhook_url}
          autoComplete="off"
          spellCheck={false}
        />
        <EventsField choice={choice} onChange={setChoice} error={errors.events} />
        <Switch
          label="Enabled"
          description="A disabled chat receives no events. Events of that time are not sent later."
          checked={enabled}
          onChange={(event) => setEnabled(event.currentTarget.checked)}
        />
        <FormActions
          submitLabel={integration ? 'Save alert' : 'Create alert'}
          isBusy={isBusy}
          onCancel={onDone}
        />
      </Stack>
    </form>
  )
}

/** On the wire an empty list means all of them. */
const choiceOf = (integration: Integration | null): EventChoice =>
  integration === null || integration.events.length === 0 ? 'all' : integration.events

interface KindFieldProps {
  readonly kind: ChatKind
  readonly onChange: (kind: ChatKind) => void
}

const KindField = ({ kind, onChange }: KindFieldProps) => (
  <Radio.Group
    label="Chat"
    value={kind}
    onChange={(value) => onChange(value === 'teams' ? 'teams' : 'slack')}
  >
    <Group mt={6}>
      <Radio value="slack" label="Slack" />
      <Radio value="teams" label="Microsoft Teams" />
    </Group>
  </Radio.Group>
)
