import type { Condition } from '@burgee/evaluation'
import { isNumericOperator, isOperator } from '@burgee/evaluation'
import { Autocomplete, Select } from '@mantine/core'
import { BELOW } from './below-field.ts'
import { OPERATOR_CHOICES } from './operators.ts'
import type { RuleTest } from './rule-hints.ts'
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

/** Attribute, operator and values of one test, as a line of a sentence. */
export function TestFields({ test, onChange, attributes, isReadOnly, problemOf, hasFocus }: TestFieldsProps) {
  const { attribute = '', operator = '', values = [] } = test
  const change = (fields: Partial<Condition>) =>
    onChange({
      attribute,
      operator: isOperator(operator) ? operator : 'equals',
      values: [...values],
      ...fields,
    })
  return (
    <div className={classes.test}>
      <Autocomplete
        label="Attribute"
        placeholder="country"
        data={[...attributes]}
        limit={SUGGESTIONS_MAX}
        value={attribute}
        onChange={(next) => change({ attribute: next })}
        error={problemOf('attribute')}
        readOnly={isReadOnly}
        spellCheck={false}
        autoFocus={hasFocus ?? false}
        maxDropdownHeight={DROPDOWN_PX}
        {...BELOW}
      />
      <Select
        label="Operator"
        data={OPERATOR_CHOICES}
        value={operator}
        onChange={(next) => {
          if (isOperator(next)) change({ operator: next })
        }}
        allowDeselect={false}
        maxDropdownHeight={DROPDOWN_PX}
        {...BELOW}
        error={problemOf('operator')}
        readOnly={isReadOnly}
      />
      <ValuesInput
        label="Values"
        values={values}
        onChange={(next) => change({ values: next })}
        error={problemOf('values')}
        isReadOnly={isReadOnly}
        isNumeric={isOperator(operator) && isNumericOperator(operator)}
      />
    </div>
  )
}
