import type { Integration } from '@burgee/contract'
import { Group, Radio } from '@mantine/core'
import { useState } from 'react'
import { AddressField, EnabledField } from '../../parts/deliveries/receiver-fields.tsx'
import { call } from '../../shared/api/call.ts'
import { changedFields } from '../../shared/forms/changed-fields.ts'
import { DialogForm } from '../../shared/forms/dialog-form.tsx'
import { requireFilled } from '../../shared/forms/field-errors.ts'
import { NameField } from '../../shared/forms/name-field.tsx'
import { useSubmit } from '../../shared/forms/use-submit.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { notifySuccess } from '../../shared/ui/notify.tsx'
import { CHAT_KINDS, type ChatKind } from './chat-kinds.tsx'
import { type EventChoice, EventsField } from './events-field.tsx'

interface IntegrationFormProps {
  readonly integration: Integration | null
  readonly onDone: () => void
}

export function IntegrationForm({ integration, onDone }: IntegrationFormProps) {
  const { environment_id: env_id } = useScope()
  const [before] = useState(integration)
  const [kind, setKind] = useState<ChatKind>(integration?.kind ?? 'slack')
  const [name, setName] = useState(integration?.name ?? '')
  const [webhook_url, setUrl] = useState('')
  const [choice, setChoice] = useState<EventChoice>(choiceOf(integration))
  const [enabled, setEnabled] = useState(integration?.enabled ?? true)
  const submission = useSubmit(['name', 'webhook_url', 'events'], async () => {
    const named = ['name', name, 'Enter a name, such as that of the channel.'] as const
    const some = ['events', choice === 'all' ? 'all' : choice.join(), 'Select at least one event.'] as const
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
    notifySuccess({
      message: integration ? 'The alert is saved.' : 'The alert is created. Test it now.',
    })
    onDone()
  })
  const { errors } = submission
  return (
    <DialogForm
      submission={submission}
      submitLabel={integration ? 'Save alert' : 'Create alert'}
      onCancel={onDone}
    >
      {!integration && <KindField kind={kind} onChange={setKind} />}
      <NameField placeholder="Releases" value={name} error={errors.name} onChange={setName} />
      <AddressField
        label={integration ? 'New address' : 'Address'}
        description={
          integration
            ? `Leave it empty to keep ${integration.webhook_url_preview}`
            : `${CHAT_KINDS[kind].where} It lets anyone post to the chat, so it is never shown again.`
        }
        placeholder={CHAT_KINDS[kind].placeholder}
        value={webhook_url}
        error={errors.webhook_url}
        onChange={setUrl}
      />
      <EventsField choice={choice} onChange={setChoice} error={errors.events} />
      <EnabledField noun="chat" isEnabled={enabled} onChange={setEnabled} />
    </DialogForm>
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
