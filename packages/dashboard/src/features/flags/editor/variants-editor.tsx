import { ActionIcon, Button, Group, Input, Tooltip } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useKeyedList } from '../../../shared/editors/use-keyed-list.ts'
import { ValueInput } from '../../../shared/editors/value-input.tsx'
import { AmountInput } from './amount-input.tsx'
import type { Draft } from './draft.ts'
import type { FlagDraft } from './use-flag-draft.ts'
import classes from './variants.module.css'
import { shareColor, WeightBar } from './weight-bar.tsx'
import { evenWeight, formatPercentage, percentagesOf } from './weights.ts'

type Variant = Draft['variants'][number]

/** Values among which users are divided, with their weights. */
export function VariantsEditor({ editor }: { readonly editor: FlagDraft }) {
  const { draft, edit, locked, problems } = editor
  const { variants } = draft
  const list = useKeyedList(variants, (next) => edit({ variants: next }))
  const percentages = percentagesOf(variants.map(({ weight }) => weight))
  const isReadOnly = locked !== undefined
  const problem = problems['/variants'] ?? problemOf(variants)
  const splitEvenly = () =>
    edit({ variants: variants.map(({ value }) => ({ value, weight: evenWeight(variants.length) })) })
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
                variant={variant}
                at={at}
                percentage={percentages[at] ?? 0}
                editor={editor}
                onChange={(next) => list.replace(at, next)}
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
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} />}
            onClick={() =>
              list.insert({ value: variants.length === 0 ? draft.default_value : null, weight: 50 })
            }
          >
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

const problemOf = (variants: readonly Variant[]): string | undefined =>
  variants.length > 0 && variants.every(({ weight }) => weight === 0)
    ? 'Give one variant at least a weight above 0.'
    : undefined

interface VariantRowProps {
  readonly variant: Variant
  readonly at: number
  readonly percentage: number
  readonly editor: FlagDraft
  readonly onChange: (variant: Variant) => void
  readonly onRemove: () => void
}

function VariantRow({ variant, at, percentage, editor, onChange, onRemove }: VariantRowProps) {
  const { draft, locked, problems } = editor
  return (
    <li className={classes.variant}>
      <span className={classes.swatch} style={{ background: shareColor(at) }} aria-hidden="true" />
      <ValueInput
        label={`Value of variant ${at + 1}`}
        isLabelHidden
        flag_type={draft.flag_type}
        value={variant.value}
        onChange={(value) => onChange({ ...variant, value })}
        error={problems[`/variants/${at}/value`]}
        isReadOnly={locked !== undefined}
      />
      <AmountInput
        className={classes.weight}
        aria-label={`Weight of variant ${at + 1}`}
        value={variant.weight}
        onChange={(weight) => onChange({ ...variant, weight })}
        max={Number.MAX_SAFE_INTEGER}
        error={problems[`/variants/${at}/weight`]}
        readOnly={locked !== undefined}
      />
      <span className={classes.percent}>{formatPercentage(percentage)}</span>
      {locked === undefined && (
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
