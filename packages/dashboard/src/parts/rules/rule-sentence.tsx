import { cutLine, type TargetingRule } from '@burgee/contract'
import type { FlagType, JsonValue } from '@burgee/evaluation'
import { Text } from '@mantine/core'
import { Fragment } from 'react'
import { useValueName } from '../../shared/ui/value-names.tsx'
import { shareOf } from '../weights/share-input.tsx'
import { formatPercentage, percentagesOf } from '../weights/weights.ts'
import { describeOperator } from './operators.ts'
import { isIncomplete, needsNoValues, type RuleTest } from './rule-hints.ts'
import classes from './rules.module.css'

interface RuleSentenceProps {
  readonly rule: TargetingRule
  /** States what a match serves, also where the rule itself names nothing. */
  readonly flag_type?: FlagType | null
}

const VALUES_SHOWN = 6
const VALUE_MAX = 60

/** One rule as a sentence, for reading only. */
export function RuleSentence({ rule, flag_type = null }: RuleSentenceProps) {
  const { segment_key, conditions = [] } = rule
  return (
    <span className={classes.sentence}>
      <Word>If</Word> <Test test={segment_key ? { segment_key, operator: rule.operator ?? '' } : rule} />
      {conditions.map((condition, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no other identity
        <Fragment key={at}>
          {' '}
          <Word>and</Word> <Test test={condition} />
        </Fragment>
      ))}
      {isIncomplete(rule) ? (
        <>
          {' '}
          <span className={classes.incomplete}>incomplete</span>
        </>
      ) : (
        <>
          <ShareOf rule={rule} />
          <Served rule={rule} flag_type={flag_type} />
        </>
      )}
    </span>
  )
}

function Test({
  test: { attribute = '', operator = '', segment_key, values = [] },
}: {
  readonly test: RuleTest
}) {
  if (segment_key !== undefined) {
    return (
      <>
        <Word>{operator === 'not_in_segment' ? 'not in segment' : 'in segment'}</Word>{' '}
        <b>{segment_key === '' ? '…' : cutLine(segment_key, VALUE_MAX)}</b>
      </>
    )
  }
  const shown = values.slice(0, VALUES_SHOWN)
  const rest = values.length - shown.length
  return (
    <>
      <b>{attribute === '' ? '…' : cutLine(attribute, VALUE_MAX)}</b>{' '}
      <Word>{describeOperator(operator, values.length)}</Word>{' '}
      {shown.length === 0 && !needsNoValues(operator) && <code className={classes.value}>…</code>}
      {shown.map((value, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a value may occur twice
        <Fragment key={at}>
          {at > 0 && ', '}
          <code className={classes.value} title={value.length > VALUE_MAX ? value : undefined}>
            {value === '' ? '""' : cutLine(value, VALUE_MAX)}
          </code>
        </Fragment>
      ))}
      {rest > 0 && <Word> and {rest.toLocaleString('en')} more</Word>}
    </>
  )
}

function ShareOf({ rule }: { readonly rule: TargetingRule }) {
  const share = shareOf(rule)
  if (share === null && rule.bucket_by === undefined) return null
  return (
    <>
      {share !== null && (
        <>
          <Word>, for</Word> <b>{share}%</b> <Word>of them</Word>
        </>
      )}
      {rule.bucket_by !== undefined && (
        <>
          {' '}
          <Word>by</Word> <b>{cutLine(rule.bucket_by, VALUE_MAX)}</b>
        </>
      )}
    </>
  )
}

const SPLIT_SHOWN = 4

function Served({ rule: { off, variant, variants = [] }, flag_type }: Required<RuleSentenceProps>) {
  const nameOf = useValueName()
  const format = (value: JsonValue) => cutLine(nameOf(value) ?? formatVariant(value), VALUE_MAX)
  if (off) return <Serve>off</Serve>
  if (variants.length > 0) {
    const percentages = percentagesOf(variants.map(({ weight }) => weight))
    const shown = variants
      .slice(0, SPLIT_SHOWN)
      .map(({ value }, at) => `${format(value)} ${formatPercentage(percentages[at] ?? 0)}`)
    return <Serve>{shown.join(', ') + (variants.length > SPLIT_SHOWN ? ', …' : '')}</Serve>
  }
  if (flag_type === 'boolean') return <Serve>true</Serve>
  if (variant !== undefined && variant !== null) return <Serve>{format(variant)}</Serve>
  if (flag_type === null) return null
  return (
    <>
      {' '}
      <Arrow /> <Word>serve the default value</Word>
    </>
  )
}

const formatVariant = (variant: JsonValue): string =>
  cutLine(typeof variant === 'string' ? variant : JSON.stringify(variant), VALUE_MAX) || '""'

function Serve({ children }: { readonly children: string }) {
  return (
    <>
      {' '}
      <Arrow /> <Word>serve</Word> <b className={classes.served}>{children}</b>
    </>
  )
}

const Arrow = () => <span aria-hidden="true">→</span>

function Word({ children }: { readonly children: React.ReactNode }) {
  return (
    <Text span inherit c="dimmed">
      {children}
    </Text>
  )
}
