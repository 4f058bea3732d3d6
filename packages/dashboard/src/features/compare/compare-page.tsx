import type { Environment } from '@burgee/contract'
import { useMemo } from 'react'
import { isProduction } from '../../shared/scope/is-production.ts'
import { usePermissionsIn } from '../../shared/scope/use-permissions.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { useUrlState } from '../../shared/scope/use-url-state.ts'
import { Failure } from '../../shared/ui/failure.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { SkeletonRows } from '../../shared/ui/skeleton-rows.tsx'
import { DriftFilters } from './drift-filters.tsx'
import { DriftMatrix } from './drift-matrix.tsx'
import { holds, isOfPair, useDriftNotes } from './drift-notes.ts'
import { DriftPanel } from './drift-panel.tsx'
import { filterRows } from './filter-rows.ts'
import { NothingToCompare } from './nothing-to-compare.tsx'
import { useBehaviours } from './use-behaviours.ts'
import { useDrift } from './use-drift.ts'

/** The differences between the environments of a project, flag by flag, and the way to remove them. */
export function ComparePage() {
  const environments = useReadableEnvironments()
  const [state, setState] = useUrlState({
    source: '',
    target: '',
    q: '',
    show: 'different',
    flag: '',
    behaviour: '',
  })
  const source = chooseSource(environments, state.source)
  const { rows, version, error, retry } = useDrift(environments, source?.id ?? '')
  const shown = rows && filterRows(rows, { q: state.q, isOnlyDifferent: state.show === 'different' })
  const open = rows?.find(({ key }) => key === state.flag)
  const target = environments.find(({ id }) => id === state.target)
  const withBehaviour = state.behaviour !== ''
  const targets = withBehaviour ? environments : target && open ? [target] : []
  const { behaviourOf, isReading } = useBehaviours({ source, targets, version })
  const notes = useDriftNotes()
  const isMeant = (flag_key: string, environment: Environment): boolean => {
    const note = notes.get(flag_key)
    return (
      note !== undefined &&
      source !== undefined &&
      isOfPair(note, source, environment) &&
      holds(note, Date.now())
    )
  }
  return (
    <Page
      title="Compare environments"
      description="Each flag in every environment, compared with the one that you choose"
    >
      {error ? (
        <Failure error={error} title="The flags could not be loaded" onRetry={retry} />
      ) : !rows || !shown || !source ? (
        <SkeletonRows rows={8} height={44} />
      ) : environments.length < 2 || rows.length === 0 ? (
        <NothingToCompare environments={environments} />
      ) : (
        <>
          <DriftFilters
            environments={environments}
            source={source}
            q={state.q}
            show={state.show}
            withBehaviour={withBehaviour}
            isComparing={withBehaviour && isReading}
            counts={{ all: rows.length, different: rows.filter(({ hasDrift }) => hasDrift).length }}
            onChange={setState}
          />
          <DriftMatrix
            rows={shown}
            environments={environments}
            source={source}
            isFiltered={state.q !== ''}
            factsOf={(flag_key, environment) => ({
              behaviour: behaviourOf(flag_key, environment.id)?.behaviour,
              isMeant: isMeant(flag_key, environment),
            })}
            onOpen={(flag, environment_id) => setState({ flag, target: environment_id })}
          />
          <DriftPanel
            row={open}
            source={source}
            target={target}
            environments={environments}
            behaviour={open && target && behaviourOf(open.key, target.id)}
            isComparing={isReading}
            note={open && notes.get(open.key)}
            onClose={() => setState({ flag: '', target: '' })}
          />
        </>
      )}
    </Page>
  )
}

/** The environments whose flags the person may read, as the same list while they are the same. */
function useReadableEnvironments(): readonly Environment[] {
  const { environments } = useScope()
  const mayIn = usePermissionsIn()
  const readable = environments.map(({ id }) => mayIn('listFlags', id).isAllowed)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `readable` is another list each time
  return useMemo(() => environments.filter((_, index) => readable[index]), [environments, readable.join()])
}

/**
 * The environment that the others are compared with: the one that the address names, else Production, else
 * the first.
 */
const chooseSource = (environments: readonly Environment[], wanted: string): Environment | undefined =>
  environments.find(({ id }) => id === wanted) ?? environments.find(isProduction) ?? environments[0]
