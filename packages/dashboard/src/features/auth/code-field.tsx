import { TextInput } from '@mantine/core'
import { useEffect, useRef } from 'react'

interface CodeFieldProps {
  readonly isRecovery: boolean
  readonly value: string
  readonly onChange: (code: string) => void
}

/** The field of a code. It takes the focus, and browsers fill in what the app shows. */
export function CodeField({ isRecovery, onChange, value }: CodeFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <TextInput
      ref={field}
      label={isRecovery ? 'Recovery code' : 'Code'}
      autoComplete={isRecovery ? 'off' : 'one-time-code'}
      inputMode={isRecovery ? 'text' : 'numeric'}
      autoCapitalize="none"
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
