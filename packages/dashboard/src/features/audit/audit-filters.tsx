import { AUDIT_ACTIONS } from '@burgee/contract'
import { Autocomplete, Button, NativeSelect, SegmentedControl } from '@mantine/core'
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { endpointQuery } from '../../shared/api/queries.ts'
import type { Permission } from '../../shared/scope/use-permissions.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { Gated } from '../../shared/ui/gated.tsx'
import classes from './audit.module.css'
import { type AuditFilter, type AuditState, countFilters } from './audit-filter.ts'
import { TimeFields } from './time-fields.tsx'

interface AuditFiltersProps {
  readonly state: AuditState
  readonly onChange: (changes: Partial<AuditState>) => void
  /** May the whole project's log be read? Else only the flag's key filters. */
  readonly permission: Permission
}

const NOTHING: AuditFilter = { flag_key: '', actor: '', action: '', when: '', from: '', to: '' }

export function AuditFilters({ state, onChange, permission }: AuditFiltersProps) {
  const { environment_id: env_id, environment, project_id } = useScope()
  const flags = useQuery(endpointQuery('listFlags', { params: { env_id } }))
  const members = useQuery(endpointQuery('listMembers', { params: { project_id } }))
  const [isOpen, { toggle }] = useDisclosure(false)
  const count = countFilters(state)
  return (
    <>
      <Button variant="default" size="sm" className={classes.opener} aria-expanded={isOpen} onClick={toggle}>
        {count === 0 ? 'Filters' : `Filters (${count})`}
      </Button>
      <div className={classes.filters} data-open={isOpen || undefined}>
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
          {' '}
          <Gated permission={permission}>
            <NativeSelect
              label="Action"
              value={state.action}
              data={ACTION_CHOICES}
              onChange={(event) => onChange({ action: event.currentTarget.value })}
            />
          </Gated>
        </div>{' '}
        <TimeFields state={state} onChange={onChange} permission={permission} />
        <div className={classes.wide}>
          {' '}
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
        </div>{' '}
        {count > 0 && (
          <Button variant="subtle" color="gray" className={classes.clear} onClick={() => onChange(NOTHING)}>
            Clear filters
          </Button>
        )}
      </div>
    </>
  )
}

const ACTION_CHOICES = [
  { value: '', label: 'Any action' },
  { value: 'switched_on', label: 'switched on' },
  { value: 'switched_off', label: 'switched off' },
  ...AUDIT_ACTIONS.map((action) => ({
    value: action as string,
    label: action.replace('change_request.', 'change request: '),
  })),
]

interface SlowFieldProps {
  readonly label: string
  readonly placeholder: string
  readonly value: string
  readonly data: readonly string[]
  readonly onChange: (value: string) => void
  readonly disabled?: boolean
}

const TYPING_PAUSE_MS = 300
const SUGGESTIONS_MAX = 20

/**
 * A text field whose search begins when the typing pauses. It follows the address when that changes without
 * it.
 */
function SlowField({ value, data, onChange, ...field }: SlowFieldProps) {
  const [typed, setTyped] = useState(value)
  const [settled, setSettled] = useState(value)
  const store = useDebouncedCallback((text: string) => {
    setSettled(text)
    onChange(text)
  }, TYPING_PAUSE_MS)
  if (value !== settled) {
    setSettled(value)
    setTyped(value)
  }
  return (
    <Autocomplete
      {...field}
      value={typed}
      data={[...new Set(data)]}
      limit={SUGGESTIONS_MAX}
      onChange={(text) => {
        setTyped(text)
        store(text)
      }}
    />
  )
}
