import { Autocomplete } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'

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
export function SlowField({ value, data, onChange, ...field }: SlowFieldProps) {
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
