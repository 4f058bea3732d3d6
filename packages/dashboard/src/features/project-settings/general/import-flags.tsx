import type { Project } from '@burgee/contract'
import { Group, Text } from '@mantine/core'
import { ButtonLink } from '../../../shared/ui/links.tsx'
import { Section } from '../../../shared/ui/section.tsx'

/** The way to the import of flags of another service. */
export function ImportFlags({ project }: { readonly project: Project }) {
  return (
    <Section title="Import flags" isBoxed>
      <Group justify="space-between" gap="sm">
        <Text size="sm" flex="1 1 260px">
          From LaunchDarkly, Unleash, flagd, GrowthBook, Flagsmith, GO Feature Flag or ConfigCat. You see what
          changes before anything is saved.
        </Text>
        <ButtonLink variant="default" to="/projects/$project_id/import" params={{ project_id: project.id }}>
          Import flags from another service
        </ButtonLink>
      </Group>
    </Section>
  )
}
