import type { FlagType, JsonValue, WeightedVariant } from '@burgee/evaluation'
import { ActionIcon, Button, Group, Input, Tooltip } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useKeyedList } from '../../shared/editors/use-keyed-list.ts'
import { ValueInput } from '../../shared/editors/value-input.tsx'
import { AmountInput } from './amount-input.tsx'
import classes from './variants.module.css'
import { shareColor, WeightBar } from './weight-bar.tsx'
import { evenWeight, formatPercentage, percentagesOf } from './weights.ts'

interface WeightedValuesProps {
  readonly variants: readonly WeightedVariant[]
  readonly onChange: (variants: WeightedVariant[]) => void
  readonly flag_type: FlagType
  /** The value of the first variant. */
  readonly firstValue: JsonValue
  /** The problem by JSON pointer below the list; the list's own has the pointer "". */
  readonly problemOf: (path: string) => string | undefined
  readonly isReadOnly: boolean
}

const FIRST_WEIGHT = 50

/** Values among which users are divided, with their weights. */
export function WeightedValues(props: WeightedValuesProps) {
  const { variants, onChange, firstValue, problemOf, isReadOnly } = props
  const list = useKeyedList(variants, onChange)
  const percentages = percentagesOf(variants.map(({ weight }) => weight))
  const problem = problemOf('') ?? problemIn(variants)
  const splitEvenly = () =>
    onChange(variants.map(({ value }) => ({ value, weight: evenWeight(variants.length) })))
  const add = () => list.insert({ value: variants.length === 0 ? firstValue : null, weight: FIRST_WEIGHT })
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a frame of its own
    <div role="group" aria-label="Variants">
      {variants.length > 0 && (
        <>
          <Input.Label component="div" size="sm" mb={6} display="block">
            Variants
          </Input.Label>
          <WeightBar variants={variants} />
          <ul className={classes.variants}>
            {variants.map((variant, at) => (
              <VariantRow
                key={list.keys[at]}
                {...props}
                variant={variant}
                at={at}
                percentage={percentages[at] ?? 0}
                onReplace={(next) => list.replace(at, next)}
                onRemove={() => list.remove(at)}
              />
            ))}
          </ul>
        </>
      )}
      {problem !== undefined && (
        <Input.Error mt="xs" role="alert">
          {problem}
        </Input.Error>
      )}
      {!isReadOnly && (
        <Group gap="xs" mt="sm">
          <Button variant="default" size="xs" leftSection={<IconPlus size={14} />} onClick={add}>
            {variants.length === 0 ? 'Divide users by weight' : 'Add variant'}
          </Button>
          {variants.length > 1 && (
            <Button variant="subtle" size="xs" onClick={splitEvenly}>
              Even split
            </Button>
          )}
        </Group>
      )}
    </div>
  )
}

const problemIn = (variants: readonly WeightedVariant[]): string | undefined =>
  variants.length > 0 && variants.every(({ weight }) => weight === 0)
    ? 'Give one variant at least a weight above 0.'
    : undefined

interface VariantRowProps extends Pick<WeightedValuesProps, 'flag_type' | 'problemOf' | 'isReadOnly'> {
  readonly variant: WeightedVariant
  readonly at: number
  readonly percentage: number
  readonly onReplace: (variant: WeightedVariant) => void
  readonly onRemove: () => void
}

function VariantRow(props: VariantRowProps) {
  const { variant, at, percentage, flag_type, problemOf, isReadOnly, onReplace, onRemove } = props
  return (
    <li className={classes.variant}>
      <span className={classes.swatch} style={{ background: shareColor(at) }} aria-hidden="true" />
      <ValueInput
        label={`Value of variant ${at + 1}`}
        isLabelHidden
        flag_type={flag_type}
        value={variant.value}
        onChange={(value) => onReplace({ ...variant, value })}
        error={problemOf(`/${at}/value`)}
        isReadOnly={isReadOnly}
      />
      <AmountInput
        className={classes.weight}
        aria-label={`Weight of variant ${at + 1}`}
        value={variant.weight}
        onChange={(weight) => onReplace({ ...variant, weight })}
        max={Number.MAX_SAFE_INTEGER}
        error={problemOf(`/${at}/weight`)}
        readOnly={isReadOnly}
      />
      <span className={classes.percent}>{formatPercentage(percentage)}</span>
      {!isReadOnly && (
        <Tooltip label="Remove the variant">
          <ActionIcon
            variant="subtle"
            color="gray"
            className={classes.remove}
            aria-label={`Remove variant ${at + 1}`}
            onClick={onRemove}
          >
            <IconX size={16} />
          </ActionIcon>
        </Tooltip>
      )}
    </li>
  )
}
