import { IconCircleOff } from '@tabler/icons-react'
import { ValueInput } from '../../../shared/editors/value-input.tsx'
import classes from './flow.module.css'
import { FlowStep } from './flow-step.tsx'
import type { FlagDraft } from './use-flag-draft.ts'

/** The value for everyone else. */
export function DisabledStep({ editor }: { readonly editor: FlagDraft }) {
  const { draft, edit, locked, problems } = editor
  return (
    <FlowStep
      icon={<IconCircleOff size={16} />}
      title="Value when off"
      summary="Served while the flag is off, outside the rollout, and when a prerequisite fails."
    >
      <div className={classes.single} data-wide={draft.flag_type === 'json' || undefined}>
        <ValueInput
          label="Disabled value"
          flag_type={draft.flag_type}
          value={draft.disabled_value}
          onChange={(disabled_value) => edit({ disabled_value })}
          error={problems['/disabled_value']}
          isReadOnly={locked !== undefined}
        />
      </div>
    </FlowStep>
  )
}
