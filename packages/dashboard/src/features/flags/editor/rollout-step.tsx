import { ROLLOUT_PERCENTAGE_MAX } from '@burgee/contract'
import { Slider } from '@mantine/core'
import { IconPercentage } from '@tabler/icons-react'
import { Bucketing } from '../../../parts/weights/bucketing.tsx'
import { ShareInput, shareOf, toShare } from '../../../parts/weights/share-input.tsx'
import classes from './flow.module.css'
import { FlowStep } from './flow-step.tsx'
import { ShownValue } from './shown-value.tsx'
import type { FlagDraft } from './use-flag-draft.ts'

const MARKS = [0, 25, 50, 75, 100].map((value) => ({ value, label: String(value) }))

/** The share of the users without a rule who get the flag. */
export function RolloutStep({
  editor,
  attributes,
}: {
  readonly editor: FlagDraft
  readonly attributes: readonly string[]
}) {
  const { base, draft, edit, locked, problems } = editor
  const percentage = shareOf(draft) ?? ROLLOUT_PERCENTAGE_MAX
  const set = (share: ReturnType<typeof toShare>) => {
    // Null means 100: going there and back is no change.
    const isNull = share.rollout_percentage === ROLLOUT_PERCENTAGE_MAX && base.rollout_percentage === null
    edit(isNull ? { rollout_percentage: null, rollout_thousandths: undefined } : share)
  }
  return (
    <FlowStep
      icon={<IconPercentage size={16} />}
      title="Rollout"
      summary={<Summary percentage={percentage} editor={editor} />}
    >
      <div className={classes.rollout}>
        <Slider
          className={classes.slider}
          value={percentage}
          onChange={(next) => set(toShare(next))}
          marks={MARKS}
          label={null}
          thumbLabel="Rollout percentage, slider"
          disabled={locked !== undefined}
        />
        <ShareInput
          className={classes.percentage}
          label="Rollout percentage"
          value={percentage}
          onChange={set}
          error={problems['/rollout_percentage'] ?? problems['/rollout_thousandths']}
          isReadOnly={locked !== undefined}
        />
      </div>
      <Bucketing
        bucketing={draft}
        onChange={edit}
        attributes={attributes}
        problemOf={(field) => problems[`/${field}`]}
        isReadOnly={locked !== undefined}
      />
    </FlowStep>
  )
}

function Summary({ percentage, editor }: { readonly percentage: number; readonly editor: FlagDraft }) {
  const { bucket_by, disabled_value, rules } = editor.draft
  const who = rules.length > 0 ? 'users who match no rule' : 'users'
  if (percentage === ROLLOUT_PERCENTAGE_MAX) return <>All {who} get the flag.</>
  const rest = (
    <>
      {' '}
      get <ShownValue value={disabled_value} />.
    </>
  )
  if (percentage === 0)
    return (
      <>
        All {who}
        {rest}
      </>
    )
  return (
    <>
      About {percentage} in 100 {who} get the flag, always the same ones
      {bucket_by === undefined ? '' : ` by ${bucket_by}`}. Raising it never removes the flag from a user. The
      others
      {rest}
    </>
  )
}
