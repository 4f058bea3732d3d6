import { BooleanInput } from './boolean-input.tsx'
import { IntegerInput } from './integer-input.tsx'
import { JsonValueInput } from './json-value-input.tsx'
import { TextInput } from './text-input.tsx'
import type { ValueInputProps } from './value-input-props.ts'

export type { ValueInputProps }

/**
 * A flag's value, by its type: a switch, a text, a whole number or JSON; and "no value". Text that cannot be
 * read yet stays in the field, is named there, and is reported to the `InputProblems` around.
 */
export function ValueInput({ flag_type, ...field }: ValueInputProps) {
  switch (flag_type) {
    case 'boolean':
      return <BooleanInput {...field} />
    case 'string':
      return <TextInput {...field} />
    case 'integer':
      return <IntegerInput {...field} />
    case 'json':
      return <JsonValueInput {...field} />
  }
}
