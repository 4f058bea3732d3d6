import { Code, CopyButton, Group, Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyAction } from './copy-action.tsx'

interface EmptyStateProps {
  readonly icon: ReactNode
  readonly title: string
  /** The purpose of the page and the next step, in a sentence or two. */
  readonly children: ReactNode
  /** A line or two of code that would fill this page. */
  readonly snippet?: string
  readonly action?: ReactNode
}

/** A list with nothing in it teaches what would be. */
export function EmptyState({ icon, title, children, snippet, action }: EmptyStateProps) {
  return (
    <Paper withBorder p="xl" radius="md">
      <Stack align="center" gap="sm" maw={560} mx="auto" py="lg">
        <ThemeIcon size={44} radius="xl" variant="light">
          {icon}
        </ThemeIcon>
        <Title order={2} size="h4" ta="center">
          {title}
        </Title>
        <Text c="dimmed" size="sm" ta="center" component="div">
          {children}
        </Text>
        {snippet !== undefined && <Snippet code={snippet} />}
        {action && (
          <Group gap="xs" justify="center">
            {action}
          </Group>
        )}
      </Stack>
    </Paper>
  )
}

/** Code to copy. */
export function Snippet({
  code,
  shown = code,
  label = 'Copy the snippet',
  name = 'Code',
}: {
  readonly code: string
  /** Shown instead of the code where that holds a secret. */
  readonly shown?: string
  readonly label?: string
  /**
   * The name of the code, for screen readers. The code is a group, since landmarks have to be few and of
   * different names.
   */
  readonly name?: string
}) {
  return (
    <Group wrap="nowrap" align="flex-start" gap={4} w="100%">
      <Code block flex={1} miw={0} tabIndex={0} role="group" aria-label={name}>
        {shown}
      </Code>
      <CopyButton value={code}>
        {({ copied, copy }) => <CopyAction isCopied={copied} onClick={copy} label={label} />}
      </CopyButton>
    </Group>
  )
}
