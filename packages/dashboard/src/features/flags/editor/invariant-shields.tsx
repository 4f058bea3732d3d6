import type { Invariant } from '@burgee/contract'
import { Badge, Group, Tooltip } from '@mantine/core'
import { IconShieldCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import { endpointQuery } from '../../../shared/api/queries.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'

/** The invariants of this environment that name the flag. */
export const InvariantShields = memo(function InvariantShields({ flag_key }: { readonly flag_key: string }) {
  const { environment, project_id } = useScope()
  const { data = [] } = useQuery({
    ...endpointQuery('listInvariants', { params: { project_id } }),
    retry: false,
  })
  const shown = data.filter((one) => names(one, flag_key) && covers(one, environment?.slug))
  if (shown.length === 0) return null
  return (
    <Group gap={6} mb="md" role="group" aria-label="Invariants of this flag">
      {shown.map(({ description, enforcement, key }) => (
        <Tooltip key={key} label={description ?? `This invariant ${WORDS[enforcement]}.`} multiline maw={320}>
          <Badge
            variant="light"
            color={enforcement === 'block' ? 'red' : 'yellow'}
            tt="none"
            tabIndex={0}
            leftSection={<IconShieldCheck size={12} />}
          >
            {key}
          </Badge>
        </Tooltip>
      ))}
    </Group>
  )
})

const WORDS = {
  block: 'refuses changes that violate it',
  warn: 'warns of changes that violate it',
} as const

const names = ({ flag, implies }: Invariant, key: string): boolean => flag === key || implies?.flag === key

const covers = ({ environments }: Invariant, slug: string | undefined): boolean =>
  environments === null || (slug !== undefined && environments.includes(slug))
