import {
  COLOR_PATTERN,
  DEFAULT_ENVIRONMENT_COLOR,
  ENVIRONMENT_SLUG_MAX_LENGTH,
  ENVIRONMENT_SLUG_PATTERN,
  type Environment,
} from '@burgee/contract'
import { Alert, Stack, Switch, TextInput } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { hasStatus } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/call.ts'
import { changedFields } from '../../../shared/forms/changed-fields.ts'
import { requireFields } from '../../../shared/forms/field-errors.ts'
import { FormActions } from '../../../shared/forms/form-actions.tsx'
import { suggestKey } from '../../../shared/forms/suggest-key.ts'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { Failure } from '../../../shared/ui/failure.tsx'
import { notifySuccess } from '../../../shared/ui/notify.tsx'
import { ColorField } from './color-field.tsx'

interface EnvironmentFormProps {
  readonly environment: Environment | null
  readonly onDone: () => void
}

const KEYS_MAY_MANAGE =
  'Its server keys may create and revoke keys, and change webhooks, Slack & Teams alerts and these settings. If this is off, only admins may. Server keys can change flags in both cases.'

const REQUIRE_COMMENT =
  'Changes of flags, segments and schedules, and decisions on change requests, need one. This includes SDK keys.'

const SLUG = new RegExp(ENVIRONMENT_SLUG_PATTERN)
const HEX = new RegExp(COLOR_PATTERN)

export function EnvironmentForm({ environment, onDone }: EnvironmentFormProps) {
  const { project_id } = useScope()
  const [name, setName] = useState(environment?.name ?? '')
  const [keys_may_manage, setKeysMayManage] = useState(environment?.keys_may_manage ?? true)
  const [require_comment, setRequireComment] = useState(environment?.require_comment ?? false)
  const [before] = useState({
    name,
    color: environment?.color ?? DEFAULT_ENVIRONMENT_COLOR,
    keys_may_manage,
    require_comment,
  })
  const [ownSlug, setOwnSlug] = useState<string | null>(null)
  const [color, setColor] = useState(environment?.color ?? DEFAULT_ENVIRONMENT_COLOR)
  const slug = ownSlug ?? suggestKey(name, ENVIRONMENT_SLUG_MAX_LENGTH)
  const { errors, failure, formProps, isBusy } = useSubmit(['name', 'slug', 'color'], async () => {
    const named = ['name', name.trim() !== '', 'Enter a name.'] as const
    const colorField = ['color', HEX.test(color), 'Choose a color, or write one like #6366f1.'] as const
    if (environment) {
      requireFields([named, colorField])
      const params = { project_id, env_id: environment.id }
      await call('updateEnvironment', {
        params,
        body: changedFields(before, { name, color, keys_may_manage, require_comment }),
      })
    } else {
      requireFields([
        named,
        ['slug', SLUG.test(slug), 'Use lower-case letters, digits and hyphens.'],
        colorField,
      ])
      await call('createEnvironment', { params: { project_id }, body: { name, slug, color } })
    }
    notifySuccess({ message: environment ? 'The environment is saved.' : 'The environment is created.' })
    onDone()
  })
  const isTaken = hasStatus(failure, 409)
  return (
    <form {...formProps}>
      <Stack>
        {failure !== null && !isTaken && <Failure error={failure} />}
        <TextInput
          label="Name"
          placeholder="Load test"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={errors.name}
          autoComplete="off"
          data-autofocus
        />
        {!environment && (
          <TextInput
            label="Slug"
            description={`Lower-case letters, digits and hyphens, at most ${ENVIRONMENT_SLUG_MAX_LENGTH}. It never changes.`}
            value={slug}
            onChange={(event) => setOwnSlug(event.currentTarget.value)}
            error={isTaken ? 'Another environment of this project has this slug.' : errors.slug}
            autoComplete="off"
            spellCheck={false}
          />
        )}
        <ColorField color={color} onChange={setColor} error={errors.color} />
        {environment && (
          <Switch
            label="Require a comment for every change"
            description={REQUIRE_COMMENT}
            checked={require_comment}
            onChange={(event) => setRequireComment(event.currentTarget.checked)}
          />
        )}
        {environment && (
          <Switch
            label="SDK keys may manage this environment"
            description={KEYS_MAY_MANAGE}
            checked={keys_may_manage}
            onChange={(event) => setKeysMayManage(event.currentTarget.checked)}
          />
        )}
        {environment?.keys_may_manage && !environment.keys_may_manage_effective && (
          <Alert variant="light" color="yellow" p="sm" icon={<IconInfoCircle size={18} />}>
            This has no effect now: the workspace does not let SDK keys manage environments. A workspace admin
            can change that.
          </Alert>
        )}
        <FormActions
          submitLabel={environment ? 'Save environment' : 'Create environment'}
          isBusy={isBusy}
          onCancel={onDone}
        />
      </Stack>
    </form>
  )
}
