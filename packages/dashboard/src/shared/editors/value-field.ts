import type { ValueInputProps } from './value-input-props.ts'

/** The props that the inputs of every type take. */
export type ValueFieldProps = Omit<ValueInputProps, 'flag_type'>

/** The meaning of null as a flag's value. */
export const NO_VALUE = 'No value: the code decides'

/** The label above the field, or for screen readers only. */
export const labelFields = ({ label, isLabelHidden = false }: ValueFieldProps) =>
  isLabelHidden ? { 'aria-label': label } : { label }
