import { ActionIcon, Group, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type { StreamFilter } from './read-log.ts'

/** Between the last key and the question to the server. */
const PATIENCE_MS = 350

const FIELDS = [
  { field: 'flag_key', label: 'Flag', placeholder: 'Any flag' },
  { field: 'user_id', label: 'User', placeholder: 'Any user' },
  { field: 'value', label: 'Value', placeholder: 'Any value' },
] as const

interface StreamFiltersProps {
  readonly filter: StreamFilter
  readonly onChange: (changes: Partial<StreamFilter>) => void
}

/** Three exact matches, kept in the address. */
export function StreamFilters({ filter, onChange }: StreamFiltersProps) {
  return (
    <Group gap="sm" role="search" aria-label="Filter the impressions">
      {FIELDS.map(({ field, ...texts }, index) => (
        <FilterField
          key={field}
          {...texts}
          isFirst={index === 0}
          value={filter[field]}
          onChange={(text) => onChange({ [field]: text })}
        />
      ))}
    </Group>
  )
}

interface FilterFieldProps {
  readonly label: string
  readonly placeholder: string
  readonly isFirst: boolean
  readonly value: string
  readonly onChange: (text: string) => void
}

function FilterField({ label, placeholder, isFirst, value, onChange }: FilterFieldProps) {
  const [text, setText] = useState(value)
  const [stored, setStored] = useState(value)
  // The address changed by itself: another filter was chosen, or the back button.
  if (value !== stored) {
    setStored(value)
    setText(value)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed waits to be stored
  useEffect(() => {
    if (text === stored) return
    const timer = setTimeout(() => {
      setStored(text)
      onChange(text)
    }, PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      description="Exact match"
      inputWrapperOrder={['label', 'input']}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      spellCheck={false}
      autoComplete="off"
      flex="1 1 160px"
      {...(isFirst && { 'data-page-search': true })}
      rightSection={
        text !== '' && (
          <ActionIcon
            size="sm"
            variant="subtle"
            color="gray"
            aria-label={`Clear ${label.toLowerCase()}`}
            onClick={() => setText('')}
          >
            <IconX size={14} />
          </ActionIcon>
        )
      }
    />
  )
}
