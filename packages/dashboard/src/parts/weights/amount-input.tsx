import { NumberInput, type NumberInputProps } from '@mantine/core'
import { useState } from 'react'

interface AmountInputProps extends Omit<NumberInputProps, 'value' | 'onChange' | 'onBlur' | 'allowDecimal'> {
  readonly value: number
  readonly onChange: (value: number) => void
}

/**
 * A number of 0 and more, whole unless `decimalScale` is given. Emptying the field on the way to another
 * number changes nothing. The field shows the number again when the focus leaves it.
 */
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
      allowDecimal={input.decimalScale !== undefined}
      clampBehavior="strict"
    />
  )
}
