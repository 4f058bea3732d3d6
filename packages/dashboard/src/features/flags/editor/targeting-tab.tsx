import type { Flag, Segment } from '@burgee/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { collectAttributes } from '../../../parts/rules/collect-attributes.ts'
import { endpointQuery } from '../../../shared/api/queries.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { SkeletonRows } from '../../../shared/ui/skeleton-rows.tsx'
import { ValueNames } from '../../../shared/ui/value-names.tsx'
import { tagsOf } from '../list/seen-in-flags.ts'
import { AboutFlag } from './about-flag.tsx'
import { DisabledStep } from './disabled-step.tsx'
import classes from './flow.module.css'
import { memoStep } from './memo-step.ts'
import { PrerequisitesStep } from './prerequisites-step.tsx'
import { RolloutStep } from './rollout-step.tsx'
import { RulesStep } from './rules-step.tsx'
import { SwitchStep } from './switch-step.tsx'
import type { FlagDraft } from './use-flag-draft.ts'
import { ValuesStep } from './values-step.tsx'

// All but the rules.
const MemoPrerequisites = memoStep(PrerequisitesStep)
const MemoSwitch = memoStep(SwitchStep)
const MemoRollout = memoStep(RolloutStep)
const MemoValues = memoStep(ValuesStep)
const MemoDisabled = memoStep(DisabledStep)
const MemoAbout = memoStep(AboutFlag)

const NO_FLAGS: readonly Flag[] = []
const NO_SEGMENTS: readonly Segment[] = []

const namesSegment = ({ segment_key, conditions = [] }: Flag['rules'][number]): boolean =>
  Boolean(segment_key) || conditions.some((condition) => 'segment_key' in condition)

/** The users and their values, in the order in which they are decided. */
export function TargetingTab({ editor }: { readonly editor: FlagDraft }) {
  const { environment_id: env_id } = useScope()
  const listedFlags = useQuery(endpointQuery('listFlags', { params: { env_id } }))
  const listedSegments = useQuery(endpointQuery('listSegments', { params: { env_id } }))
  const { data: flags = NO_FLAGS } = listedFlags
  const { data: segments = NO_SEGMENTS } = listedSegments
  const tagsSeen = useMemo(() => tagsOf(flags), [flags])
  const attributes = useMemo(() => collectAttributes(flags, segments), [flags, segments])
  const { prerequisites, rules } = editor.draft
  // Nothing is called missing before the list of what there is has come.
  const isWaiting =
    (prerequisites.length > 0 && listedFlags.isPending) ||
    (rules.some(namesSegment) && listedSegments.isPending)
  if (isWaiting) return <SkeletonRows rows={6} height={120} />
  return (
    <ValueNames names={editor.draft.variant_names}>
      <div className={classes.columns} key={editor.generation}>
        <div className={classes.flow}>
          <MemoPrerequisites editor={editor} flags={flags} />
          <MemoSwitch editor={editor} />
          <RulesStep editor={editor} attributes={attributes} segments={segments} />
          <MemoRollout editor={editor} attributes={attributes} />
          <MemoValues editor={editor} />
          <MemoDisabled editor={editor} />
        </div>
        <MemoAbout editor={editor} tagsSeen={tagsSeen} />
      </div>
    </ValueNames>
  )
}
