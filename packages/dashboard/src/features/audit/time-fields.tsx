import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Permission } from '../../shared/scope/use-permissions.ts'
import { Gated } from '../../shared/ui/gated.tsx'
import type { AuditFilter } from './audit-filter.ts'

type Times = Pick<AuditFilter, 'when' | 'from' | 'to'>

interface TimeFieldsProps {
  readonly state: Times
  readonly onChange: (changes: Partial<Times>) => void
  readonly permission: Permission
}

const ANY = ''
const DAYS = 'days'
const CHOICES = [
  { value: ANY, label: 'Any time' },
  { value: 'hour', label: 'Last hour' },
  { value: 'today', label: 'Today' },
  { value: 'week', label: 'Last 7 days' },
  { value: DAYS, label: 'Days…' },
]

/** The time of the entries: one that ends now, or days. */
export function TimeFields({ state, onChange, permission }: TimeFieldsProps) {
  const hasDays = state.from !== '' || state.to !== ''
  const [wantsDays, setWantsDays] = useState(hasDays)
  const isDays = state.when === '' && (wantsDays || hasDays)
  const choose = (when: string) => {
    setWantsDays(when === DAYS)
    onChange(when === DAYS ? { when: '' } : { when, from: '', to: '' })
  }
  return (
    <>
      <Gated permission={permission}>
        <NativeSelect
          label="When"
          value={isDays ? DAYS : state.when}
          data={CHOICES}
          onChange={(event) => choose(event.currentTarget.value)}
        />
      </Gated>
      {isDays && (
        <>
          <Gated permission={permission}>
            <TextInput
              type="date"
              label="From"
              value={state.from}
              max={state.to || undefined}
              onChange={(event) => onChange({ from: event.currentTarget.value })}
            />
          </Gated>
          <Gated permission={permission}>
            <TextInput
              type="date"
              label="To"
              value={state.to}
              min={state.from || undefined}
              onChange={(event) => onChange({ to: event.currentTarget.value })}
            />
          </Gated>
        </>
      )}
    </>
  )
}
