import { INCIDENT_IMPACTS_MAX, type IncidentEntry, type PastImpact } from '@burgee/contract'
import { Button, Group, SegmentedControl, Select, Stack, Text } from '@mantine/core'
import { IconArrowBackUp, IconClockSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { UndoDialog } from '../../parts/undo/index.tsx'
import { filteredQuery } from '../../shared/api/queries.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { useUrlState } from '../../shared/scope/use-url-state.ts'
import { countOf } from '../../shared/ui/count-of.ts'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Failure } from '../../shared/ui/failure.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { SkeletonRows } from '../../shared/ui/skeleton-rows.tsx'
import { WINDOWS, windowStart } from './describe-incident.ts'
import classes from './incident.module.css'
import { IncidentRow } from './incident-entry.tsx'

const READ_EVERY_MS = 15_000
const COUNT_EVERY_MS = 60_000
const ALL = ''
/** As many entries as one undo takes. */
const CHOSEN_MAX = 50

/** Everything that was changed in a window of time, newest first, and the way to undo it. */
export function IncidentPage() {
  const { environments, project_id } = useScope()
  const [{ environment_id, window }, set] = useUrlState({ window: '1h', environment_id: ALL })
  const from = windowStart(window, Date.now())
  const query = { from, ...(environment_id !== ALL && { environment_id }) }
  const incident = useQuery({
    ...filteredQuery('listProjectIncident', { params: { project_id }, query }),
    refetchInterval: READ_EVERY_MS,
  })
  const impactOf = usePastImpacts(project_id, query)
  const chosen = useChosen(incident.data ?? [])
  const [isUndoing, setUndoing] = useState(false)
  const place = environments.find(({ id }) => id === chosen.environment_id)
  return (
    <Page
      title="Incident"
      description="Recent changes, newest first, with the users whom they affect of those seen until now. Select the changes to undo."
    >
      <Stack gap="md">
        <Group gap="sm">
          <SegmentedControl
            aria-label="Window"
            value={window}
            onChange={(next) => set({ window: next })}
            data={WINDOWS.map(({ label, value }) => ({ label, value }))}
          />
          <Select
            aria-label="Environment"
            value={environment_id}
            onChange={(next) => set({ environment_id: next ?? ALL })}
            data={[
              { value: ALL, label: 'All environments' },
              ...environments.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            allowDeselect={false}
          />
        </Group>
        {incident.data === undefined && incident.error ? (
          <Failure
            error={incident.error}
            title="The changes could not be loaded"
            onRetry={() => void incident.refetch()}
          />
        ) : incident.data === undefined ? (
          <SkeletonRows rows={6} height={70} />
        ) : incident.data.length === 0 ? (
          <EmptyState icon={<IconClockSearch size={22} />} title="No changes">
            No flag and no segment changed in this window. Choose a longer one, or look elsewhere for the
            cause.
          </EmptyState>
        ) : (
          <ul className={classes.timeline} aria-label="Changes">
            {incident.data.map((entry, index) => (
              <IncidentRow
                key={entry.audit_id}
                entry={entry}
                environment={environments.find(({ id }) => id === entry.environment_id)}
                isChosen={chosen.ids.includes(entry.audit_id)}
                obstacle={chosen.obstacleOf(entry)}
                onChoose={(isChosen) => chosen.choose(entry, isChosen)}
                impact={impactOf(entry.audit_id)}
                isCounted={index < INCIDENT_IMPACTS_MAX}
              />
            ))}
          </ul>
        )}
      </Stack>
      {chosen.ids.length > 0 && place && (
        <section className={classes.bar} aria-label="Chosen changes">
          <Text size="sm" fw={600}>
            {countOf(chosen.ids.length, 'change')} in {place.name}
          </Text>
          <Group gap="xs">
            <Button variant="default" size="sm" onClick={chosen.clear}>
              Clear
            </Button>
            <Button size="sm" leftSection={<IconArrowBackUp size={16} />} onClick={() => setUndoing(true)}>
              Undo…
            </Button>
          </Group>
        </section>
      )}
      {isUndoing && place && (
        <UndoDialog
          environment={place}
          audit_ids={chosen.ids}
          onClose={() => setUndoing(false)}
          onDone={() => {
            setUndoing(false)
            chosen.clear()
          }}
        />
      )}
    </Page>
  )
}

/** Counts the users whom the newest changes affect: undefined until then. The list does not wait for it. */
function usePastImpacts(
  project_id: string,
  query: { readonly from: string; readonly environment_id?: string },
): (audit_id: number) => PastImpact | null | undefined {
  const { data, isError } = useQuery({
    ...filteredQuery('listProjectIncident', {
      params: { project_id },
      query: { ...query, impact: true, limit: INCIDENT_IMPACTS_MAX },
    }),
    refetchInterval: COUNT_EVERY_MS,
    retry: false,
  })
  const impacts = new Map(data?.map(({ audit_id, impact }) => [audit_id, impact ?? null]))
  return (audit_id) => impacts.get(audit_id) ?? (isError || impacts.has(audit_id) ? null : undefined)
}

/** The chosen entries: those of one environment, because an undo is one write of it. */
function useChosen(entries: readonly IncidentEntry[]) {
  const [ids, setIds] = useState<readonly number[]>([])
  const environment_id = entries.find(({ audit_id }) => audit_id === ids[0])?.environment_id
  return {
    ids,
    environment_id,
    clear: () => setIds([]),
    choose: ({ audit_id }: IncidentEntry, isChosen: boolean) =>
      setIds(isChosen ? [...ids, audit_id] : ids.filter((id) => id !== audit_id)),
    obstacleOf: ({ audit_id, environment_id: own }: IncidentEntry): string | null => {
      if (ids.includes(audit_id)) return null
      if (environment_id !== undefined && own !== environment_id)
        return 'Undo the changes of one environment at a time.'
      return ids.length >= CHOSEN_MAX ? `At most ${CHOSEN_MAX} changes are undone at once.` : null
    },
  }
}
