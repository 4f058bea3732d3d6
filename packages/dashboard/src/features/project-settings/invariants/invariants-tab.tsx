import type { Environment, Invariant } from '@burgee/contract'
import { Button, Modal, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../shared/api/call.ts'
import { endpointQuery } from '../../../shared/api/queries.ts'
import { InputProblems } from '../../../shared/editors/input-problems.tsx'
import { usePermissions } from '../../../shared/scope/use-permissions.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { Failure } from '../../../shared/ui/failure.tsx'
import { Gated } from '../../../shared/ui/gated.tsx'
import { RowList } from '../../../shared/ui/row-list.tsx'
import { Section } from '../../../shared/ui/section.tsx'
import { SkeletonRows } from '../../../shared/ui/skeleton-rows.tsx'
import { InvariantForm } from './invariant-form.tsx'
import { type EnvironmentCheck, InvariantRow } from './invariant-row.tsx'

/** Demands on what users can get of flags, with the decision for each environment. */
export function InvariantsTab() {
  const { project_id } = useScope()
  const { data, error, refetch } = useQuery(endpointQuery('listInvariants', { params: { project_id } }))
  const checksOf = useChecks(data ?? [])
  const permission = usePermissions()('createInvariant')
  const [opened, setOpened] = useState<Invariant | 'new' | null>(null)
  const close = () => setOpened(null)
  return (
    <Section
      title="Invariants"
      description="A condition that must hold for every user. The server verifies it for every possible user, and refuses changes that violate one that blocks."
      actions={
        <Gated permission={permission}>
          <Button leftSection={<IconPlus size={16} />} onClick={() => setOpened('new')}>
            Create invariant
          </Button>
        </Gated>
      }
    >
      {error !== null && (
        <Failure error={error} title="The invariants could not be loaded" onRetry={() => void refetch()} />
      )}
      {!data && error === null && <SkeletonRows rows={2} height={56} />}
      {data?.length === 0 && (
        <Text size="sm" c="dimmed">
          No invariant: every change that is valid is allowed.
        </Text>
      )}
      {data && data.length > 0 && (
        <RowList label="Invariants" columns="16rem">
          {data.map((invariant) => (
            <InvariantRow
              key={invariant.key}
              invariant={invariant}
              checks={checksOf(invariant)}
              onEdit={() => setOpened(invariant)}
            />
          ))}
        </RowList>
      )}
      <Modal
        opened={opened !== null}
        onClose={close}
        closeOnClickOutside={false}
        size="lg"
        title={opened === 'new' ? 'Create invariant' : 'Edit invariant'}
      >
        {opened !== null && (
          <InputProblems>
            <InvariantForm invariant={opened === 'new' ? null : opened} onDone={close} />
          </InputProblems>
        )}
      </Modal>
    </Section>
  )
}

/** Has the server decide all invariants, in each environment that one of them covers. */
function useChecks(invariants: readonly Invariant[]): (invariant: Invariant) => EnvironmentCheck[] {
  const { environments, project_id } = useScope()
  const results = useQueries({
    queries: environments.map(({ id: environment_id }) => ({
      queryKey: ['checkInvariants', project_id, environment_id, invariants],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        call('checkInvariants', { params: { project_id }, body: { environment_id } }, { signal }),
      enabled: invariants.length > 0,
      gcTime: 0,
      retry: false,
    })),
  })
  return (invariant) =>
    environments.flatMap((environment, index) => {
      if (!covers(invariant, environment)) return []
      const { data, isPending } = results[index] ?? { isPending: true }
      const check = isPending ? undefined : (data?.find(({ key }) => key === invariant.key) ?? null)
      return [{ environment, check }]
    })
}

const covers = ({ environments }: Invariant, { slug }: Environment): boolean =>
  environments === null || environments.includes(slug)
