import { Autocomplete } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../../shared/api/queries.ts'
import { listControlValues } from './list-control-values.ts'

interface ControlPickerProps {
  readonly env_id: string
  /** Empty until one is chosen. */
  readonly flag_key: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: string | undefined
}

/**
 * The value that the others are compared with. The flag's own values are offered, and any other text is
 * accepted.
 */
export function ControlPicker({ env_id, flag_key, value, onChange, error }: ControlPickerProps) {
  const flags = useQuery(endpointQuery('listFlags', { params: { env_id } }))
  const values = listControlValues(flags.data?.find(({ key }) => key === flag_key))
  return (
    <Autocomplete
      label="Control"
      description="The value that the others are compared with; if empty, the one that most users saw first"
      placeholder="Choose one or write it"
      data={values}
      value={value}
      onChange={onChange}
      error={error}
      disabled={flag_key === ''}
      clearable
      clearButtonProps={{ 'aria-label': 'Clear the control' }}
    />
  )
}
