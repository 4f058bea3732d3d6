import { type Condition, isNumericOperator, isOperator, type Operator } from '@burgee/evaluation'
import { Autocomplete, Select } from '@mantine/core'
import { memo } from 'react'
import { useStableActions } from '../../shared/ui/use-stable-actions.ts'
import { BELOW } from './below-field.ts'
import { operatorChoices } from './operators.ts'
import { needsNoValues, type RuleTest } from './rule-hints.ts'
import classes from './rules.module.css'
import { ValuesInput } from './values-input.tsx'

interface TestFieldsProps {
  readonly test: RuleTest
  readonly onChange: (test: Condition) => void
  readonly attributes: readonly string[]
  readonly isReadOnly: boolean
  /** The problem of `attribute`, `operator` or `values`. */
  readonly problemOf: (field: string) => string | undefined
  readonly hasFocus?: boolean
}

const SUGGESTIONS_MAX = 30
/** All operators fit. */
const DROPDOWN_PX = 360

/**
 * Attribute, operator and values of one test, as a line of a sentence. Each field is drawn again for its own
 * changes only.
 */
export function TestFields({ test, onChange, attributes, isReadOnly, problemOf, hasFocus }: TestFieldsProps) {
  const { attribute = '', operator = '', values = NO_VALUES } = test
  const change = (fields: Partial<Condition>) =>
    onChange({
      attribute,
      operator: isOperator(operator) ? operator : 'equals',
      // The same list where it stays: its field is then not drawn again.
      values: values as string[],
      ...fields,
    })
  const set = useStableActions<TestEdits>({
    attribute: (next) => change({ attribute: next }),
    operator: (next) => change({ operator: next }),
    values: (next) => change({ values: next }),
  })
  return (
    <div className={classes.test}>
      <AttributeField
        attributes={attributes}
        value={attribute}
        onChange={set.attribute}
        error={problemOf('attribute')}
        isReadOnly={isReadOnly}
        hasFocus={hasFocus ?? false}
      />
      <OperatorField
        value={operator}
        onChange={set.operator}
        error={problemOf('operator')}
        isReadOnly={isReadOnly}
      />
      {!needsNoValues(operator) && (
        <ValuesField
          label="Values"
          values={values}
          onChange={set.values}
          error={problemOf('values')}
          isReadOnly={isReadOnly}
          isNumeric={isOperator(operator) && isNumericOperator(operator)}
        />
      )}
    </div>
  )
}

const NO_VALUES: readonly string[] = []

interface TestEdits {
  readonly attribute: (attribute: string) => void
  readonly operator: (operator: Operator) => void
  readonly values: (values: string[]) => void
}

interface FieldProps<T extends string> {
  readonly value: string
  readonly onChange: (value: T) => void
  readonly error: string | undefined
  readonly isReadOnly: boolean
}

interface AttributeFieldProps extends FieldProps<string> {
  readonly attributes: readonly string[]
  readonly hasFocus: boolean
}

const AttributeField = memo(function AttributeField(props: AttributeFieldProps) {
  const { attributes, value, onChange, error, isReadOnly, hasFocus } = props
  return (
    <Autocomplete
      label="Attribute"
      placeholder="country"
      data={[...attributes]}
      limit={SUGGESTIONS_MAX}
      value={value}
      onChange={onChange}
      error={error}
      readOnly={isReadOnly}
      spellCheck={false}
      autoFocus={hasFocus}
      maxDropdownHeight={DROPDOWN_PX}
      {...BELOW}
    />
  )
})

const OperatorField = memo(function OperatorField(props: FieldProps<Operator>) {
  const { value, onChange, error, isReadOnly } = props
  return (
    <Select
      label="Operator"
      data={operatorChoices(value)}
      searchable
      value={value}
      onChange={(next) => {
        if (isOperator(next)) onChange(next)
      }}
      allowDeselect={false}
      maxDropdownHeight={DROPDOWN_PX}
      {...BELOW}
      error={error}
      readOnly={isReadOnly}
    />
  )
})

const ValuesField = memo(ValuesInput)
