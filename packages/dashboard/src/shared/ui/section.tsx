import { Box, Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './section.module.css'

interface SectionProps {
  readonly title: string
  readonly description?: ReactNode
  readonly actions?: ReactNode
  /** True if the content has a surface of its own; lists bring theirs. */
  readonly isBoxed?: boolean
  /** True for actions that cannot be taken back: the section has a red edge. */
  readonly isDangerous?: boolean
  readonly children: ReactNode
}

/** A part of a page of settings, with its own heading. */
export function Section({ title, description, actions, isBoxed, isDangerous, children }: SectionProps) {
  const id = useId()
  return (
    <Stack component="section" gap="sm" aria-labelledby={id}>
      <Group justify="space-between" align="flex-end" gap="sm">
        <Box miw={0} flex="1 1 260px">
          <Title order={2} size="h5" id={id}>
            {title}
          </Title>
          {description && (
            <Text size="sm" c="dimmed" component="div">
              {description}
            </Text>
          )}
        </Box>
        {actions}
      </Group>
      {isBoxed || isDangerous ? (
        <div className={classes.box} data-dangerous={isDangerous || undefined}>
          {children}
        </div>
      ) : (
        children
      )}
    </Stack>
  )
}
