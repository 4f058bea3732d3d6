import { createFlagSet, type FlagSet } from '@burgee/evaluation'
import { IconFlag3 } from '@tabler/icons-react'
import { useCallback, useDeferredValue, useMemo } from 'react'
import { collectAttributes } from '../../parts/rules/collect-attributes.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { useUrlState } from '../../shared/scope/use-url-state.ts'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Failure } from '../../shared/ui/failure.tsx'
import { ButtonLink } from '../../shared/ui/links.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { SkeletonRows } from '../../shared/ui/skeleton-rows.tsx'
import classes from './evaluate.module.css'
import { ExplanationDrawer } from './explanation-drawer.tsx'
import { MomentBar } from './moment-bar.tsx'
import { PastDrawer } from './past-drawer.tsx'
import { PastResults } from './past-results.tsx'
import { Results } from './results.tsx'
import type { Subject } from './subject.ts'
import { SubjectForm } from './subject-form.tsx'
import { useExpandedFlags } from './use-expanded-flags.ts'
import { useMoment } from './use-moment.ts'
import { usePastResults } from './use-past-results.ts'
import { useSubject } from './use-subject.ts'
import { ValueHistory } from './value-history.tsx'

/** The values that a user gets, with the reasons: every flag, evaluated in the page as SDKs do it. */
export function EvaluatePage() {
  const { environment_id, environment } = useScope()
  const edited = useSubject()
  const reading = useExpandedFlags(environment_id)
  const { flags, ownFlags, segments } = reading
  const subject = useDeferredValue(edited.subject)
  const set = useMemo(() => createFlagSet(flags ?? []), [flags])
  const knownAttributes = useMemo(() => collectAttributes(ownFlags, segments), [ownFlags, segments])
  const [{ flag: shownKey }, show] = useUrlState({ flag: '' })
  // biome-ignore lint/correctness/useExhaustiveDependencies: every render's `show` changes the address alike
  const onShow = useCallback((key: string) => show({ flag: key }), [])
  const shown = flags?.find(({ key }) => key === shownKey)
  const moment = useMoment()
  const { at } = moment
  const past = usePastResults(environment_id, subject, at)
  return (
    <Page
      title="Evaluate"
      description={`What a user gets in ${environment?.name ?? 'this environment'}, and why, now or at a past moment. Nothing is reported.`}
    >
      <div className={classes.columns}>
        <SubjectForm edited={edited} knownAttributes={knownAttributes} />
        <section aria-label="Results" className={classes.results}>
          <MomentBar moment={moment} notice={past.data?.notice} />
          {at === null ? (
            <ResultsOfNow set={set} subject={subject} reading={reading} onShow={onShow} />
          ) : (
            <ResultsOfThen past={past} set={set} subject={subject} reading={reading} onShow={onShow} />
          )}
          <ValueHistory subject={subject} onShowAt={moment.setAt} />
        </section>
      </div>
      {at === null ? (
        <ExplanationDrawer
          question={shown && { set, flag: shown, subject }}
          onClose={() => show({ flag: '' })}
        />
      ) : (
        <PastDrawer flag_key={shownKey} at={at} subject={subject} onClose={() => show({ flag: '' })} />
      )}
    </Page>
  )
}

interface ShownResults {
  readonly set: FlagSet
  readonly subject: Subject
  readonly reading: ReturnType<typeof useExpandedFlags>
  readonly onShow: (flag_key: string) => void
}

function ResultsOfNow({ reading, ...shown }: ShownResults) {
  const { error, flags, reload } = reading
  if (error && !flags) return <Failure title="The flags could not be read" error={error} onRetry={reload} />
  if (!flags) return <SkeletonRows rows={6} height={52} />
  if (flags.length === 0) return <NoFlags />
  return (
    <>
      {error && <Failure title="The flags could not be read" error={error} onRetry={reload} />}
      <Results flags={flags} reading={reading} {...shown} />
    </>
  )
}

/** The values of a past moment wait for the flags of now, with which they are compared. */
function ResultsOfThen({
  past,
  reading,
  ...shown
}: ShownResults & { readonly past: ReturnType<typeof usePastResults> }) {
  const error = past.error ?? reading.error
  const retry = () => {
    void past.refetch()
    reading.reload()
  }
  if (error) return <Failure title="That moment could not be read" error={error} onRetry={retry} />
  if (!past.data || !reading.flags) return <SkeletonRows rows={6} height={52} />
  return <PastResults items={past.data.flags} {...shown} />
}

function NoFlags() {
  const { project_id, environment_id } = useScope()
  return (
    <EmptyState
      icon={<IconFlag3 size={22} />}
      title="No flags to evaluate"
      action={
        <ButtonLink
          to="/projects/$project_id/environments/$environment_id/flags"
          params={{ project_id, environment_id }}
        >
          To the flags
        </ButtonLink>
      }
    >
      Once this environment has flags, you see here what any user gets from each of them, and which rule
      decided.
    </EmptyState>
  )
}
