import type { Segment } from '@burgee/contract'
import { Text } from '@mantine/core'
import { IconListSearch } from '@tabler/icons-react'
import { RulesEditor } from '../../../parts/rules/rules-editor.tsx'
import type { Draft } from './draft.ts'
import { FlowStep } from './flow-step.tsx'
import type { FlagDraft } from './use-flag-draft.ts'

interface RulesStepProps {
  readonly editor: FlagDraft
  readonly attributes: readonly string[]
  readonly segments: readonly Segment[]
}

/** Users who are chosen by their attributes. */
export function RulesStep({ editor, attributes, segments }: RulesStepProps) {
  const { draft, edit, locked, problems } = editor
  return (
    <FlowStep
      icon={<IconListSearch size={16} />}
      title="Rules"
      summary="The first rule that matches a user decides, regardless of the rollout."
      aside={<DisabledNotice draft={draft} />}
    >
      <RulesEditor
        rules={draft.rules}
        onChange={(rules) => edit({ rules })}
        segments={segments}
        attributes={attributes}
        flag_type={draft.flag_type}
        locked={locked}
        problems={problems}
      />
    </FlowStep>
  )
}

/** Shown on the first step behind the switch while the flag is off. */
function DisabledNotice({ draft }: { readonly draft: Draft }) {
  if (draft.is_enabled) return null
  return (
    <Text size="xs" c="dimmed" ta="right">
      Not reached while the flag is off
    </Text>
  )
}
