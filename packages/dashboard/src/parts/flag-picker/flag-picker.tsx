import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../../shared/api/queries.ts'

/** Options that are shown at once: typing finds the others. */
const SHOWN_MAX = 50

interface FlagPickerProps {
  readonly env_id: string
  readonly label: string
  readonly value: string
  readonly onChange: (flag_key: string) => void
  readonly description?: string
  readonly error?: string | undefined
  /** Keys beside the environment's flags: of flags that were seen and are gone. */
  readonly further?: readonly string[]
  readonly isRequired?: boolean
}

/** One flag of the environment, found by typing a part of its key. */
export function FlagPicker({
  env_id,
  label,
  value,
  onChange,
  description,
  error,
  further = [],
  isRequired = false,
}: FlagPickerProps) {
  const flags = useQuery(endpointQuery('listFlags', { params: { env_id } }))
  const keys = (flags.data ?? []).map(({ key }) => key)
  const choices = [...new Set([...keys, ...further, value])].filter((key) => key !== '').sort()
  return (
    <Select
      label={label}
      description={description}
      placeholder="Choose a flag"
      data={choices}
      value={value === '' ? null : value}
      onChange={(key) => onChange(key ?? '')}
      error={error}
      searchable
      // A refused form puts the focus here: the list would cover what else is wrong.
      openOnFocus={false}
      limit={SHOWN_MAX}
      nothingFoundMessage={
        flags.isPending
          ? 'Loading the flags'
          : flags.isError
            ? 'The flags could not be loaded'
            : 'No flag has this key'
      }
      required={isRequired}
      allowDeselect={false}
      maxDropdownHeight={280}
    />
  )
}
