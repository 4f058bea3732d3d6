import { NativeSelect, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../../shared/api/queries.ts'
import type { Permission } from '../../shared/scope/use-permissions.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { Gated } from '../../shared/ui/gated.tsx'
import { ACTION_CHOICES } from './action-choices.ts'
import classes from './audit.module.css'
import { type AuditState, countFilters, NO_FILTER } from './audit-filter.ts'
import { FilterPanel } from './filter-panel.tsx'
import { SlowField } from './slow-field.tsx'
import { TimeFields } from './time-fields.tsx'

interface AuditFiltersProps {
  readonly state: AuditState
  readonly onChange: (changes: Partial<AuditState>) => void
  /** May the whole project's log be read? Else only the flag's key filters. */
  readonly permission: Permission
}

export function AuditFilters({ state, onChange, permission }: AuditFiltersProps) {
  const { environment_id: env_id, environment, project_id } = useScope()
  const flags = useQuery(endpointQuery('listFlags', { params: { env_id } }))
  const members = useQuery(endpointQuery('listMembers', { params: { project_id } }))
  return (
    <FilterPanel count={countFilters(state)} onClear={() => onChange(NO_FILTER)}>
      <SlowField
        label="Flag"
        placeholder="Any flag"
        value={state.flag_key}
        data={flags.data?.map(({ key }) => key) ?? []}
        onChange={(flag_key) => onChange({ flag_key })}
      />
      <Gated permission={permission}>
        <SlowField
          label="Who"
          placeholder="Any e-mail"
          value={state.actor}
          data={members.data?.map(({ email }) => email) ?? []}
          onChange={(actor) => onChange({ actor })}
        />
      </Gated>
      <div className={classes.wide}>
        <Gated permission={permission}>
          <NativeSelect
            label="Action"
            value={state.action}
            data={ACTION_CHOICES}
            onChange={(event) => onChange({ action: event.currentTarget.value })}
          />
        </Gated>
      </div>
      <TimeFields state={state} onChange={onChange} permission={permission} />
      <div className={classes.wide}>
        <Gated permission={permission}>
          <SegmentedControl
            aria-label="Environments"
            value={state.scope}
            onChange={(scope) => onChange({ scope })}
            data={[
              { value: 'environment', label: environment?.name ?? 'This environment' },
              { value: 'project', label: 'Whole project' },
            ]}
          />
        </Gated>
      </div>
    </FilterPanel>
  )
}
