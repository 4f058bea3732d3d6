import type { Flag } from '@burgee/contract'
import { Box } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import { call } from '../../../shared/api/call.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { WarningsAlert } from '../../../shared/warnings/warnings-alert.tsx'

/**
 * The warnings about the saved flag. They are read for each revision: a flag that came from a list or from a
 * stream has none.
 */
export const FlagWarnings = memo(function FlagWarnings({ flag: { key, revision } }: { readonly flag: Flag }) {
  const { environment_id: env_id } = useScope()
  const { data = [] } = useQuery({
    queryKey: ['flagWarnings', env_id, key, revision],
    queryFn: async ({ signal }) => {
      const { warnings = [] } = await call('getFlag', { params: { env_id, key } }, { signal })
      return warnings
    },
    placeholderData: keepPreviousData,
    retry: false,
  })
  if (data.length === 0) return null
  return (
    <Box mb="md">
      <WarningsAlert warnings={data} title="Probably a mistake in this flag" role="region" />
    </Box>
  )
})
