import type { Environment } from '@burgee/contract'
import { Code, Radio, Stack, TagsInput, Text } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../../shared/api/call.ts'
import { changedFields } from '../../../shared/forms/changed-fields.ts'
import { FormActions } from '../../../shared/forms/form-actions.tsx'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { Failure } from '../../../shared/ui/failure.tsx'
import { notifySuccess } from '../../../shared/ui/notify.tsx'
import { exampleRow } from './example-row.ts'

interface SeenUsersFormProps {
  readonly environment: Environment
  readonly onDone: () => void
}

const CHOICES = [
  {
    value: 'off',
    label: 'Nothing',
    description: 'Reviews cannot count the users whom a change affects. Stored users are removed at once.',
  },
  {
    value: 'keys',
    label: 'Their keys',
    description:
      'Enough for rollouts and lists of keys. Where a rule needs an attribute, a change may or may not affect a user.',
  },
  {
    value: 'attributes',
    label: 'Their keys, and the attributes that rules name',
    description:
      'Reviews are exact. Programs must send them too: the option sendEvaluationContext of the SDK, which is off.',
  },
] as const

export function SeenUsersForm({ environment, onDone }: SeenUsersFormProps) {
  const { project_id } = useScope()
  const [before] = useState({
    seen_users: environment.seen_users,
    private_attributes: environment.private_attributes,
  })
  const [seen_users, setSeenUsers] = useState(before.seen_users)
  const [private_attributes, setPrivate] = useState(before.private_attributes)
  const { failure, formProps, isBusy } = useSubmit([], async () => {
    const params = { project_id, env_id: environment.id }
    const body = changedFields(before, { seen_users, private_attributes })
    await call('updateEnvironment', { params, body })
    notifySuccess({ message: `What ${environment.name} keeps of its users is saved.` })
    onDone()
  })
  return (
    <form {...formProps}>
      <Stack>
        {failure !== null && <Failure error={failure} />}
        <Text size="sm">
          Reviews count which recently seen users a change affects. Each day keeps a uniform sample of users,
          and everything is removed after 7 days, or after the server’s SEEN_USERS_DAYS.
        </Text>
        <Radio.Group
          label="What is kept of each user"
          value={seen_users}
          onChange={(value) => setSeenUsers(CHOICES.find((choice) => choice.value === value)?.value ?? 'off')}
        >
          <Stack gap="xs" mt="xs">
            {CHOICES.map((choice) => (
              <Radio key={choice.value} {...choice} />
            ))}
          </Stack>
        </Radio.Group>
        {seen_users === 'attributes' && (
          <TagsInput
            label="Attributes that are never kept"
            description="Press Enter after each name. Users then count as unknown where a rule needs one."
            placeholder="email"
            value={private_attributes}
            onChange={setPrivate}
          />
        )}
        <ExampleRow seen_users={seen_users} private_attributes={private_attributes} />
        <FormActions submitLabel="Save" isBusy={isBusy} onCancel={onDone} />
      </Stack>
    </form>
  )
}

function ExampleRow(kept: Pick<Environment, 'seen_users' | 'private_attributes'>) {
  const row = exampleRow(kept)
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        Example of a stored user
      </Text>
      <Code block aria-label="Example of a stored user">
        {row === null ? 'Nothing.' : JSON.stringify(row, null, 2)}
      </Code>
    </div>
  )
}
