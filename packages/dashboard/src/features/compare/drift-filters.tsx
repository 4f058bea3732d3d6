import type { Environment } from '@burgee/contract'
import { Checkbox, Group, SegmentedControl, Select } from '@mantine/core'
import { EnvironmentDot } from '../../shared/ui/environment-dot.tsx'
import { SearchField } from '../../shared/ui/search-field.tsx'

interface DriftFiltersProps {
  readonly environments: readonly Environment[]
  readonly source: Environment
  readonly q: string
  /** `different` or `all`. */
  readonly show: string
  readonly counts: Readonly<Record<'all' | 'different', number>>
  /** True while the behaviour of flags is compared too. */
  readonly withBehaviour: boolean
  readonly isComparing: boolean
  readonly onChange: (changes: {
    readonly source?: string
    readonly q?: string
    readonly show?: string
    readonly behaviour?: string
  }) => void
}

/** The fields for the source of the comparison and for the flags to list. */
export function DriftFilters({
  environments,
  source,
  q,
  show,
  counts,
  withBehaviour,
  isComparing,
  onChange,
}: DriftFiltersProps) {
  return (
    <Group gap="sm" align="flex-end" mb="md">
      <Select
        label="Compare with"
        data={environments.map(({ id, name }) => ({ value: id, label: name }))}
        value={source.id}
        onChange={(value) => onChange({ source: value ?? '' })}
        leftSection={<EnvironmentDot color={source.color} />}
        allowDeselect={false}
        w={200}
      />
      <SearchField
        label="Search"
        isLabeled
        placeholder="Key or description"
        value={q}
        onChange={(text) => onChange({ q: text })}
      />
      <SegmentedControl
        aria-label="Which flags"
        data={[
          { value: 'different', label: `Different (${counts.different})` },
          { value: 'all', label: `All (${counts.all})` },
        ]}
        value={show}
        onChange={(value) => onChange({ show: value })}
      />
      <Checkbox
        label={isComparing ? 'Comparing behavior…' : 'Compare behavior'}
        checked={withBehaviour}
        onChange={(event) => onChange({ behaviour: event.currentTarget.checked ? 'yes' : '' })}
        pb={8}
      />
    </Group>
  )
}
