import { KEY_MAX_LENGTH, KEY_PATTERN } from '@burgee/contract'
import { Button, Divider, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { settleFlagWrite } from '../../parts/flag-writes/flag-write.ts'
import { send } from '../../shared/api/call.ts'
import { requireFilled } from '../../shared/forms/field-errors.ts'
import { useSubmit } from '../../shared/forms/use-submit.ts'
import { Failure } from '../../shared/ui/failure.tsx'
import { ButtonLink } from '../../shared/ui/links.tsx'

interface FirstFlagProps {
  readonly project_id: string
  readonly environment_id: string
  readonly flag_key: string
  readonly onFlagKey: (key: string) => void
}

const KEY = new RegExp(KEY_PATTERN)
const KEY_RULE = `Letters, digits, hyphens and underscores, at most ${KEY_MAX_LENGTH}.`

/** The last step: a flag that the program above evaluates. It starts off, since this is Production. */
export function FirstFlag({ flag_key, onFlagKey, ...place }: FirstFlagProps) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const env_id = place.environment_id
  const { formProps, isBusy, failure, errors } = useSubmit(['key'], async () => {
    requireFilled([['key', flag_key, 'Enter a key for the flag.']])
    const body = { key: flag_key, is_enabled: false }
    settleFlagWrite(client, env_id, await send('putFlag', { params: { env_id }, body }))
    await navigate({
      to: '/projects/$project_id/environments/$environment_id/flags/$flag_key',
      params: { ...place, flag_key },
    })
  })
  const isMisspelled = flag_key !== '' && !(KEY.test(flag_key) && flag_key.length <= KEY_MAX_LENGTH)
  return (
    <form {...formProps}>
      <Divider my="xl" />
      <Stack gap="sm">
        <Title order={2} size="h4">
          Create your first flag
        </Title>
        <Text size="sm" c="dimmed">
          The program above evaluates it. It starts off: turn it on in the next page, and watch the program.
        </Text>
        {failure !== null && <Failure error={failure} />}
        <TextInput
          label="Flag key"
          description={KEY_RULE}
          value={flag_key}
          error={errors.key ?? (isMisspelled ? KEY_RULE : undefined)}
          onChange={(event) => onFlagKey(event.currentTarget.value)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maw={360}
        />
        <Group>
          <Button type="submit" loading={isBusy}>
            Create your first flag
          </Button>
          <ButtonLink
            variant="subtle"
            color="gray"
            to="/projects/$project_id/environments/$environment_id/flags"
            params={place}
          >
            Skip to the flags
          </ButtonLink>
        </Group>
      </Stack>
    </form>
  )
}
