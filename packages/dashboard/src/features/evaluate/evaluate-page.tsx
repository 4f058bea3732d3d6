import { createFlagSet } from '@burgee/evaluation'
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
import { Results } from './results.tsx'
import { SubjectForm } from './subject-form.tsx'
import { useExpandedFlags } from './use-expanded-flags.ts'
import { useSubject } from './use-subject.ts'

/** The values that a user gets, with the reasons: every flag, evaluated in the page as SDKs do it. */
export function EvaluatePage() {
  const { environment_id, environment } = useScope()
  const edited = useSubject()
  const reading = useExpandedFlags(environment_id)
  const { flags, ownFlags, segments } = reading
  const subject = useDeferredValue(edited.subject)
  const set = useMemo(() => createFlagSet(flags ?? []), [flags])
  const knownAttributes = useMemo(() => collectAttributes(ownFlags, segments), [ownFlags, segments])
  const [{ flag: shown_key }, show] = useUrlState({ flag: '' })
  // biome-ignore lint/correctness/useExhaustiveDependencies: every render's `show` changes the address alike
  const onShow = useCallback((key: string) => show({ flag: key }), [])
  const shown = flags?.find(({ key }) => key === shown_key)
  return (
    <Page
      title="Evaluate"
      description={`What a user gets in ${environment?.name ?? 'this environment'}, and why. Nothing is reported: this page evaluates by itself.`}
    >
      <div className={classes.columns}>
        <SubjectForm edited={edited} knownAttributes={knownAttributes} />
        <section aria-label="Results" className={classes.results}>
          {reading.error && (
            <Failure title="The flags could not be read" error={reading.error} onRetry={reading.reload} />
          )}
          {!flags && !reading.error && <SkeletonRows rows={6} height={52} />}
          {flags?.length === 0 && <NoFlags />}
          {flags && flags.length > 0 && (
            <Results flags={flags} set={set} subject={subject} reading={reading} onShow={onShow} />
          )}
        </section>
      </div>
      <ExplanationDrawer
        question={shown && { set, flag: shown, subject }}
        onClose={() => show({ flag: '' })}
      />
    </Page>
  )
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
