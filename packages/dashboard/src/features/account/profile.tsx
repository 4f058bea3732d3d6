import type { CurrentUser } from '@burgee/contract'
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../shared/api/call.ts'
import { endpointQuery } from '../../shared/api/queries.ts'
import { requireFilled } from '../../shared/forms/field-errors.ts'
import { useSubmit } from '../../shared/forms/use-submit.ts'
import { usePermissions } from '../../shared/scope/use-permissions.ts'
import { Failure } from '../../shared/ui/failure.tsx'
import { Gated } from '../../shared/ui/gated.tsx'
import { notifySuccess } from '../../shared/ui/notify.tsx'
import { Section } from '../../shared/ui/section.tsx'

/** The signed-in person's name. Workspace admins change all names, their own included. */
export function Profile({ me }: { readonly me: CurrentUser }) {
  const permission = usePermissions()('updateUser')
  const users = useQuery({ ...endpointQuery('listUsers', {}), enabled: permission.isAllowed })
  const myId = users.data?.find(({ email }) => email.toLowerCase() === me.email.toLowerCase())?.id
  const [name, setName] = useState(me.name)
  const { errors, failure, formProps, isBusy } = useSubmit(['name'], async () => {
    requireFilled([['name', name, 'Enter your name.']])
    if (myId === undefined) return
    await call('updateUser', { params: { id: myId }, body: { name } })
    notifySuccess({ message: 'Your name is changed.' })
  })
  return (
    <Section title="Profile" isBoxed>
      <form {...formProps}>
        <Stack maw={420}>
          {failure !== null && <Failure error={failure} />}
          <TextInput
            label="Name"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            readOnly={!permission.isAllowed}
            error={errors.name}
            autoComplete="name"
          />
          <TextInput
            label="E-mail"
            description="You sign in with it. It cannot be changed."
            value={me.email}
            readOnly
          />
          <Stack gap={2}>
            <Text size="sm" fw={500}>
              Role in the workspace
            </Text>
            <Text size="sm" c="dimmed">
              {me.role === 'admin'
                ? 'Admin: you may do everything in every project.'
                : 'In each project you may do what your membership there allows.'}
            </Text>
          </Stack>
          <Group>
            <Gated permission={permission}>
              <Button type="submit" loading={isBusy} disabled={name === me.name || myId === undefined}>
                Save profile
              </Button>
            </Gated>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
