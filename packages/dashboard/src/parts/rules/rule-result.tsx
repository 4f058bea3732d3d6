import type { TargetingRule } from '@burgee/contract'
import { SegmentedControl } from '@mantine/core'
import { ValueInput } from '../../shared/editors/value-input.tsx'
import { WeightedValues } from '../weights/weighted-values.tsx'
import type { RuleFormProps } from './rule-form-props.ts'
import classes from './rules.module.css'

type Kind = 'value' | 'split' | 'off'

/** The result of a match: a value, several by weight, or what the flag serves while it is off. */
export function RuleResult(props: RuleFormProps) {
  const { rule, onChange, flag_type, isReadOnly } = props
  // The rules of a segment only have values for the flags that use it.
  if (flag_type === null) return <VariantField {...props} />
  const kind: Kind = rule.off ? 'off' : rule.variants ? 'split' : 'value'
  const choose = (next: string) =>
    onChange(withKind(rule, next === 'off' || next === 'split' ? next : 'value'))
  return (
    <div className={classes.serve}>
      <SegmentedControl
        aria-label="Result of a match"
        size="xs"
        data={choicesFor(flag_type)}
        value={kind}
        onChange={choose}
        disabled={isReadOnly}
        mb="xs"
      />
      {kind === 'value' && flag_type !== 'boolean' && <VariantField {...props} />}
      {kind === 'split' && <Split {...props} />}
    </div>
  )
}

const choicesFor = (flag_type: NonNullable<RuleFormProps['flag_type']>) =>
  flag_type === 'boolean'
    ? [
        { value: 'value', label: 'True' },
        { value: 'off', label: 'Off' },
      ]
    : [
        { value: 'value', label: 'A value' },
        { value: 'split', label: 'Several by weight' },
        { value: 'off', label: 'Off' },
      ]

const FIRST_WEIGHT = 50

function withKind({ off: _, variant, variants, ...rule }: TargetingRule, kind: Kind): TargetingRule {
  if (kind === 'off') return { ...rule, off: true }
  if (kind === 'value') return variant === undefined ? rule : { ...rule, variant }
  const first = [{ weight: FIRST_WEIGHT, value: variant ?? null }]
  return { ...rule, variants: variants ?? [...first, { weight: FIRST_WEIGHT, value: null }] }
}

function VariantField({ rule, onChange, flag_type, isReadOnly, problemOf }: RuleFormProps) {
  const { variant = null, ...rest } = rule
  return (
    <ValueInput
      label={flag_type === null ? 'Serve, on flags that are not boolean (JSON)' : 'Serve'}
      flag_type={flag_type ?? 'json'}
      value={variant}
      onChange={(value) => onChange(value === null ? rest : { ...rest, variant: value })}
      nullLabel={flag_type === null ? 'What the flag’s own rule serves' : 'The default value'}
      error={problemOf('/variant')}
      isReadOnly={isReadOnly}
    />
  )
}

function Split({ rule, onChange, flag_type, isReadOnly, problemOf }: RuleFormProps) {
  return (
    <WeightedValues
      variants={rule.variants ?? []}
      onChange={(variants) => onChange({ ...rule, variants })}
      flag_type={flag_type ?? 'json'}
      firstValue={null}
      problemOf={(path) => problemOf(`/variants${path}`)}
      isReadOnly={isReadOnly}
    />
  )
}
