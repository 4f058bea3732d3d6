import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../shared/api/call.ts'
import { requireFilled } from '../../shared/forms/field-errors.ts'
import { useSubmit } from '../../shared/forms/use-submit.ts'
import { Failure } from '../../shared/ui/failure.tsx'
import { notifySuccess } from '../../shared/ui/notify.tsx'
import { Section } from '../../shared/ui/section.tsx'

export function WorkspaceName({ name: storedName }: { readonly name: string }) {
  const [name, setName] = useState(storedName)
  const { errors, failure, formProps, isBusy } = useSubmit(['workspace_name'], async () => {
    requireFilled([['workspace_name', name, 'Give the workspace a name.']])
    await call('updateWorkspace', { body: { workspace_name: name } })
    notifySuccess({ message: 'The workspace is renamed.' })
  })
  return (
    <Section title="Name" description="People see it before they sign in." isBoxed>
      <form {...formProps}>
        <Stack gap="sm">
          {failure !== null && <Failure error={failure} />}
          <Group align="flex-start" gap="xs">
            <TextInput
              aria-label="Workspace name"
              flex="1 1 220px"
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              error={errors.workspace_name}
              autoComplete="off"
            />
            <Button type="submit" loading={isBusy} disabled={name === storedName}>
              Rename workspace
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
