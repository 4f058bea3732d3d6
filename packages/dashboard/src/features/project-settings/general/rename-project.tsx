import type { Project } from '@burgee/contract'
import { Button, Code, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../../shared/api/call.ts'
import { requireFilled } from '../../../shared/forms/field-errors.ts'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import { usePermissions } from '../../../shared/scope/use-permissions.ts'
import { Failure } from '../../../shared/ui/failure.tsx'
import { Gated } from '../../../shared/ui/gated.tsx'
import { notifySuccess } from '../../../shared/ui/notify.tsx'
import { Section } from '../../../shared/ui/section.tsx'

export function RenameProject({ project }: { readonly project: Project }) {
  const permission = usePermissions()('updateProject')
  const [name, setName] = useState(project.name)
  const { errors, failure, formProps, isBusy } = useSubmit(['name'], async () => {
    requireFilled([['name', name, 'Enter a name for the project.']])
    await call('updateProject', { params: { project_id: project.id }, body: { name } })
    notifySuccess({ message: 'The project is renamed.' })
  })
  return (
    <Section title="Name" isBoxed>
      <form {...formProps}>
        <Stack gap="sm">
          {failure !== null && <Failure error={failure} />}
          <Group align="flex-start" gap="xs">
            <TextInput
              aria-label="Project name"
              flex="1 1 220px"
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              error={errors.name}
              readOnly={!permission.isAllowed}
              autoComplete="off"
            />
            <Gated permission={permission}>
              <Button type="submit" loading={isBusy} disabled={name === project.name}>
                Rename project
              </Button>
            </Gated>
          </Group>
          <Text size="xs" c="dimmed">
            Its slug <Code>{project.slug}</Code> stays as it is, and SDKs are not affected.
          </Text>
        </Stack>
      </form>
    </Section>
  )
}
