import type { ImportResult } from '@burgee/contract'
import { Button, Stack, Text } from '@mantine/core'
import { useMemo } from 'react'
import { isBlocked } from '../../parts/impact/is-blocked.ts'
import { bothPermissions } from '../../shared/comments/use-comment.tsx'
import { usePermissionsIn } from '../../shared/scope/use-permissions.ts'
import { Failure } from '../../shared/ui/failure.tsx'
import { Gated } from '../../shared/ui/gated.tsx'
import { Section } from '../../shared/ui/section.tsx'
import { ChoiceButtons } from './choice-buttons.tsx'
import { confirmImport } from './confirm-import.tsx'
import { FlagFilters } from './flag-filters.tsx'
import { FlagList } from './flag-list.tsx'
import { filterRows, flagRows } from './flag-rows.ts'
import classes from './import.module.css'
import { countPlan, type EnvironmentPlan } from './import-plan.ts'
import { applyChoice, type LeftOut } from './left-out.ts'
import { InvariantNotes, OverrideOffer } from './override-offer.tsx'
import { PlanOverview } from './plan-overview.tsx'
import { StepProgress } from './step-progress.tsx'
import type { ImportState } from './use-import.ts'

interface ReviewStepProps {
  readonly state: ImportState
  readonly result: ImportResult
  readonly plans: readonly EnvironmentPlan[]
}

/** The third step: what the import would do, as a picture and flag by flag. */
export function ReviewStep({ plans: previewed, result, state }: ReviewStepProps) {
  const { filter, left } = state.draft
  const setLeft = (next: LeftOut) => state.change({ left: next })
  const plans = useMemo(() => applyChoice(previewed, left), [previewed, left])
  const rows = useMemo(() => flagRows(result, plans), [result, plans])
  const shown = useMemo(() => filterRows(rows, filter), [rows, filter])
  const { failure, progress } = state
  return (
    <Stack gap="lg">
      <PlanOverview plans={plans} rows={rows} />
      <InvariantNotes plans={previewed} result={result} state={state} />
      <Section title="Flag by flag">
        <FlagFilters
          rows={rows}
          filter={filter}
          onChange={(next) => state.change({ filter: next })}
          actions={<ChoiceButtons rows={shown} allRows={rows} left={left} onChange={setLeft} />}
        />
        <FlagList rows={shown} left={left} onChoice={setLeft} />
      </Section>
      {failure !== null && <ApplyFailure state={state} result={result} />}
      <div className={classes.actions}>
        {progress ? (
          <StepProgress progress={progress} onCancel={state.cancel} />
        ) : (
          <ReviewActions state={state} result={result} plans={plans} />
        )}
      </div>
    </Stack>
  )
}

/** A write that was refused: what is written by then stays, so that only a new preview goes on. */
function ApplyFailure({ result, state }: Omit<ReviewStepProps, 'plans'>) {
  const isViolation = isBlocked(undefined, state.failure)
  const done = state.applied.map(({ plan }) => plan.target.name)
  return (
    <Stack gap="xs">
      <Failure
        error={state.failure}
        title={done.length > 0 ? `The import stopped after ${done.join(', ')}` : 'The import was refused'}
      />
      <Text size="sm">
        Saved changes stay. A new preview shows the rest.{' '}
        <Button size="compact-sm" variant="default" onClick={() => void state.preview(result)}>
          Preview again
        </Button>
      </Text>
      {isViolation && <OverrideOffer state={state} result={result} />}
    </Stack>
  )
}

function ReviewActions({ plans, result, state }: ReviewStepProps) {
  const mayIn = usePermissionsIn()
  const counts = plans.map(countPlan)
  const written = counts.reduce((sum, one) => sum + one.created + one.changed + one.waiting + one.segments, 0)
  const permission = plans
    .flatMap(({ changes, target }) => [
      mayIn('applyEnvironment', target.id),
      ...(changes.some(({ resource }) => resource === 'segment') ? [mayIn('patchSegment', target.id)] : []),
    ])
    .reduce(bothPermissions, { isAllowed: true })
  return (
    <>
      <Text size="sm">
        {written === 0 ? 'Everything is as in the files already.' : 'Nothing is saved yet.'}
      </Text>
      <Button variant="default" onClick={() => state.goTo({ kind: 'environments', result })}>
        Back
      </Button>
      <Gated permission={permission}>
        <Button
          disabled={written === 0}
          onClick={() => confirmImport(plans, (comment) => void state.apply(plans, result, comment))}
        >
          Import…
        </Button>
      </Gated>
    </>
  )
}
