import { Button, Stack, Text, TextInput, Title } from '@mantine/core'
import type { StepProps } from './use-setup-form.ts'

/** Two names: the installation's, and the first project's. */
export function WorkspaceStep({ values, errors, set }: StepProps) {
  return (
    <>
      <Title order={1} size="h3">
        Set up Burgee
      </Title>
      <Text c="dimmed" mt={4} mb="lg">
        Two names to begin with. Both can be changed later.
      </Text>
      <Stack>
        <TextInput
          label="Workspace name"
          description="Your company or team."
          autoComplete="organization"
          value={values.workspace_name}
          error={errors.workspace_name}
          onChange={(event) => set({ workspace_name: event.currentTarget.value })}
        />
        <TextInput
          label="First project"
          description="Flags that belong together, such as those of your web shop. It gets Production, Staging and Development."
          autoComplete="off"
          value={values.project_name}
          error={errors.project_name}
          onChange={(event) => set({ project_name: event.currentTarget.value })}
        />
        <Button type="submit" w="fit-content" mt={4}>
          Continue
        </Button>
      </Stack>
    </>
  )
}
