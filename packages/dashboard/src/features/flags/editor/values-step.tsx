import { Stack } from '@mantine/core'
import { IconGift } from '@tabler/icons-react'
import { WeightedValues } from '../../../parts/weights/weighted-values.tsx'
import { ValueInput } from '../../../shared/editors/value-input.tsx'
import classes from './flow.module.css'
import { FlowStep } from './flow-step.tsx'
import { NamesOfValues } from './names-of-values.tsx'
import { ShownValue } from './shown-value.tsx'
import type { FlagDraft } from './use-flag-draft.ts'
import { ValueSchema } from './value-schema.tsx'

/** The values for users inside the rollout: one value, or several by weight. */
export function ValuesStep({ editor }: { readonly editor: FlagDraft }) {
  const { draft, edit, locked, problems } = editor
  const hasVariants = draft.variants.length > 0
  return (
    <FlowStep
      icon={<IconGift size={16} />}
      title="Value when on"
      summary={
        hasVariants ? (
          'Users inside the rollout are divided by weight; each keeps the same value.'
        ) : (
          <>
            Users inside the rollout get <ShownValue value={draft.default_value} />.
          </>
        )
      }
    >
      <Stack gap="md">
        <div className={classes.single} data-wide={draft.flag_type === 'json' || undefined}>
          <ValueInput
            label="Default value"
            flag_type={draft.flag_type}
            value={draft.default_value}
            onChange={(default_value) => edit({ default_value })}
            error={problems['/default_value']}
            isReadOnly={locked !== undefined}
            {...(hasVariants && {
              description: 'For rules that serve nothing of their own, and users without a key.',
            })}
          />
        </div>
        {draft.flag_type !== 'boolean' && (
          <WeightedValues
            variants={draft.variants}
            onChange={(variants) => edit({ variants })}
            flag_type={draft.flag_type}
            firstValue={draft.default_value}
            problemOf={(path) => problems[`/variants${path}`]}
            isReadOnly={locked !== undefined}
          />
        )}
        <NamesOfValues editor={editor} />
        <ValueSchema editor={editor} />
      </Stack>
    </FlowStep>
  )
}
