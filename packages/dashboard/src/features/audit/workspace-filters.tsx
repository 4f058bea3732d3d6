import type { AuditGroup } from '@burgee/contract'
import { NativeSelect, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../../shared/api/queries.ts'
import { ACTION_CHOICES } from './action-choices.ts'
import { countFilters, NO_WORKSPACE_FILTER, type WorkspaceAuditFilter } from './audit-filter.ts'
import { FilterPanel } from './filter-panel.tsx'
import { SlowField } from './slow-field.tsx'
import { TimeFields } from './time-fields.tsx'
import type { AuditedProject } from './use-audit-places.ts'

interface WorkspaceFiltersProps {
  readonly state: WorkspaceAuditFilter
  readonly projects: readonly AuditedProject[]
  readonly onChange: (changes: Partial<WorkspaceAuditFilter>) => void
}

/** The filters of the workspace's log. */
export function WorkspaceFilters({ state, projects, onChange }: WorkspaceFiltersProps) {
  const users = useQuery(endpointQuery('listUsers', {}))
  const options = (isDeleted: boolean) =>
    projects
      .filter((project) => project.isDeleted === isDeleted)
      .map(({ id, name }) => ({ value: id, label: name }))
  const isListed = state.project_id === '' || projects.some(({ id }) => id === state.project_id)
  return (
    <FilterPanel isLarge count={countFilters(state)} onClear={() => onChange(NO_WORKSPACE_FILTER)}>
      <Select
        label="Project"
        placeholder="Any project"
        data={[
          { group: 'Projects', items: options(false) },
          {
            group: 'Deleted',
            items: [
              ...options(true),
              ...(isListed ? [] : [{ value: state.project_id, label: state.project_id }]),
            ],
          },
        ]}
        value={state.project_id === '' ? null : state.project_id}
        onChange={(project_id) => onChange({ project_id: project_id ?? '' })}
        searchable
        clearable
        nothingFoundMessage="No such project"
      />
      <SlowField
        label="Who"
        placeholder="Any e-mail"
        value={state.actor}
        data={users.data?.map(({ email }) => email) ?? []}
        onChange={(actor) => onChange({ actor })}
      />
      <NativeSelect
        label="About"
        value={state.group}
        data={GROUP_CHOICES}
        onChange={(event) => onChange({ group: event.currentTarget.value })}
      />
      <NativeSelect
        label="Action"
        value={state.action}
        data={ACTION_CHOICES}
        onChange={(event) => onChange({ action: event.currentTarget.value })}
      />
      <TimeFields state={state} onChange={onChange} permission={ALLOWED} />
      <NativeSelect
        label="Signed in with"
        value={state.credential}
        data={credentialChoices(state.credential)}
        onChange={(event) => onChange({ credential: event.currentTarget.value })}
      />
      <SlowField
        label="Flag"
        placeholder="Any flag"
        value={state.flag_key}
        data={[]}
        onChange={(flag_key) => onChange({ flag_key })}
      />
    </FilterPanel>
  )
}

const ALLOWED = { isAllowed: true } as const

const GROUPS: Readonly<Record<AuditGroup, string>> = {
  flags: 'Flags',
  change_requests: 'Change requests',
  authentication: 'Sign-ins and failures',
  people: 'People, roles and tokens',
  keys: 'SDK keys',
  projects: 'Projects and environments',
  segments: 'Segments and experiments',
  receivers: 'Webhooks, Slack & Teams',
}
const GROUP_CHOICES = [
  { value: '', label: 'Anything' },
  ...Object.entries(GROUPS).map(([value, label]) => ({ value, label })),
]

const CREDENTIAL_CHOICES = [
  { value: '', label: 'Anything' },
  { value: 'session', label: 'A session' },
  { value: 'access_token', label: 'An access token' },
  { value: 'sdk_key', label: 'An SDK key' },
]

/** One credential is a choice while it is chosen: an open entry leads to it. */
const credentialChoices = (chosen: string) =>
  CREDENTIAL_CHOICES.some(({ value }) => value === chosen)
    ? CREDENTIAL_CHOICES
    : [...CREDENTIAL_CHOICES, { value: chosen, label: chosen.replace('_', ' ').replace(':', ' ') }]
