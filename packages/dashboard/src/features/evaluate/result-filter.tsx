import { Group, SegmentedControl } from '@mantine/core'
import { SearchField } from '../../shared/ui/search-field.tsx'
import classes from './evaluate.module.css'

interface ResultFilterProps {
  readonly q: string
  readonly show: string
  /** The name of the choice `different`. */
  readonly different: string
  readonly onChange: (changes: { readonly q?: string; readonly show?: string }) => void
}

/** The search and the choice of results, now and at a past moment. */
export function ResultFilter({ q, show, different, onChange }: ResultFilterProps) {
  return (
    <Group gap="xs" mb="xs">
      <SearchField
        label="Search flags"
        placeholder="Search flags"
        value={q}
        onChange={(text) => onChange({ q: text })}
      />
      <SegmentedControl
        aria-label="Which flags"
        className={classes.filter}
        value={show}
        onChange={(value) => onChange({ show: value })}
        data={[
          { value: 'all', label: 'All' },
          { value: 'on', label: 'On' },
          { value: 'off', label: 'Off' },
          { value: 'different', label: different },
        ]}
      />
    </Group>
  )
}
