import { Switch } from '@mantine/core'
import { IconPower } from '@tabler/icons-react'
import { FlowStep } from './flow-step.tsx'
import { ShownValue } from './shown-value.tsx'
import type { FlagDraft } from './use-flag-draft.ts'

/** The master switch, and what it means. */
export function SwitchStep({ editor: { draft, edit, locked } }: { readonly editor: FlagDraft }) {
  return (
    <FlowStep
      icon={<IconPower size={16} />}
      title="Switch"
      summary={
        draft.is_enabled ? (
          'Users go through the steps below.'
        ) : (
          <>
            Everyone gets <ShownValue value={draft.disabled_value} />, regardless of the settings below.
          </>
        )
      }
    >
      <Switch
        size="lg"
        color="teal"
        checked={draft.is_enabled}
        onChange={(event) => edit({ is_enabled: event.currentTarget.checked })}
        label={draft.is_enabled ? 'The flag is on' : 'The flag is off'}
        disabled={locked !== undefined}
      />
    </FlowStep>
  )
}
