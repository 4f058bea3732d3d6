import { PASSWORD_MIN_LENGTH } from '@burgee/contract'
import { Button, Group, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core'
import type { StepProps } from './use-setup-form.ts'

/** The first admin, who is signed in at once. */
export function AccountStep({ values, errors, isBusy, set, back }: StepProps) {
  return (
    <>
      <Title order={1} size="h3">
        Your account
      </Title>
      <Text c="dimmed" mt={4} mb="lg">
        You are the workspace's first admin. You can add others as soon as this is done.
      </Text>
      <Stack>
        <TextInput
          label="Your name"
          autoComplete="name"
          value={values.name}
          error={errors.name}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          value={values.email}
          error={errors.email}
          onChange={(event) => set({ email: event.currentTarget.value })}
        />
        <PasswordInput
          label="Password"
          description={`At least ${PASSWORD_MIN_LENGTH} characters.`}
          autoComplete="new-password"
          value={values.password}
          error={errors.password}
          onChange={(event) => set({ password: event.currentTarget.value })}
        />
        <Group mt={4}>
          <Button type="submit" loading={isBusy}>
            Set up Burgee
          </Button>
          <Button variant="subtle" color="gray" onClick={back} disabled={isBusy}>
            Back
          </Button>
        </Group>
      </Stack>
    </>
  )
}
