import type { Flag, Segment } from '@burgee/contract'
import { IconListSearch } from '@tabler/icons-react'
import { useMemo } from 'react'
import { collectAttributes } from '../../../parts/rules/collect-attributes.ts'
import { RulesEditor } from '../../../parts/rules/rules-editor.tsx'
import { OffNote } from './disabled-notice.tsx'
import { FlowStep } from './flow-step.tsx'
import type { FlagDraft } from './use-flag-draft.ts'

interface RulesStepProps {
  readonly editor: FlagDraft
  readonly flags: readonly Flag[]
  readonly segments: readonly Segment[]
}

/** Users who are chosen by what is known of them. */
export function RulesStep({ editor, flags, segments }: RulesStepProps) {
  const { draft, edit, locked, problems } = editor
  const attributes = useMemo(() => collectAttributes(flags, segments), [flags, segments])
  return (
    <FlowStep
      icon={<IconListSearch size={16} />}
      title="Rules"
      summary="The first rule that matches a user decides, whatever the rollout says."
      aside={<OffNote draft={draft} />}
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
