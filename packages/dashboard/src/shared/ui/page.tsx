import { Box, Group, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import classes from './page.module.css'

interface PageProps {
  /** The page's one `h1`, and the tab's title. */
  readonly title: string
  /** The heading, if it shows more than the plain title. */
  readonly heading?: ReactNode
  /** A small button right after the title. */
  readonly beside?: ReactNode
  readonly description?: ReactNode
  /** Buttons at the right of the title. */
  readonly actions?: ReactNode
  /** Lists and tables take all the width there is; forms and texts do not. */
  readonly width?: 'full' | 'reading'
  readonly children: ReactNode
}

/** The layout of every page of the frame: a title with its actions, and the content below. */
export function Page({ title, heading, beside, description, actions, width = 'full', children }: PageProps) {
  useDocumentTitle(`${title} · Burgee`)
  return (
    <Box className={classes.page} data-width={width}>
      <Group justify="space-between" align="flex-start" gap="sm" mb="lg">
        <Stack gap={2} miw={0}>
          <div className={classes.heading}>
            <Title order={1} size="h3" className={classes.title}>
              {heading ?? title}
            </Title>
            {beside}
          </div>
          {description && (
            <Text c="dimmed" size="sm" component="div">
              {description}
            </Text>
          )}
        </Stack>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Box>
  )
}
