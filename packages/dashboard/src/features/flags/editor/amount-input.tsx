import { NumberInput, type NumberInputProps } from '@mantine/core'
import { useState } from 'react'

interface AmountInputProps extends Omit<NumberInputProps, 'value' | 'onChange' | 'onBlur'> {
  readonly value: number
  readonly onChange: (value: number) => void
}

/** A whole number of 0 and more. Emptied on the way to another number it changes nothing, and shows it again when it is left. */
export function AmountInput({ value, onChange, ...input }: AmountInputProps) {
  const [typed, setTyped] = useState<number | string | null>(null)
  return (
    <NumberInput
      {...input}
      value={typed ?? value}
      onChange={(next) => {
        setTyped(next)
        if (typeof next === 'number') onChange(next)
      }}
      onBlur={() => setTyped(null)}
      min={0}
      allowDecimal={false}
      clampBehavior="strict"
    />
  )
}
