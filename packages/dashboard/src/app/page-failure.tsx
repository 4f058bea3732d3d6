import { Box } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { messageOf } from '../shared/api/api-error.ts'
import { Failure } from '../shared/ui/failure.tsx'
import { Page } from '../shared/ui/page.tsx'

/**
 * The messages of browsers when a part of the page is no longer there: mostly after an update of the server.
 */
const IS_CODE_MISSING = /dynamically imported module|module script failed|error loading/i

/** A page that could not be drawn. */
export function PageFailure({ error }: ErrorComponentProps) {
  const isOutdated = IS_CODE_MISSING.test(messageOf(error))
  return (
    <Box p="md">
      <Page title="Something went wrong" width="reading">
        <Failure
          title={
            isOutdated ? 'Burgee has been updated, or cannot be reached' : 'This page could not be shown'
          }
          error={isOutdated ? new Error('Load the page again to continue.') : error}
          onRetry={() => location.reload()}
        />
      </Page>
    </Box>
  )
}
