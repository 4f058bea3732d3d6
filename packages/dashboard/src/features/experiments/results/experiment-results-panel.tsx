import type { Experiment } from '@burgee/contract'
import { Button, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { endpointQuery } from '../../../shared/api/queries.ts'
import { countOf } from '../../../shared/ui/count-of.ts'
import { Failure } from '../../../shared/ui/failure.tsx'
import { SkeletonRows } from '../../../shared/ui/skeleton-rows.tsx'
import { describeResult } from '../descriptions/describe-result.ts'
import { CleanUpNotice } from '../ship/clean-up-notice.tsx'
import { ShipWinner } from '../ship/ship-winner.tsx'
import { ComparisonList } from './comparison-list.tsx'
import { DifferenceChart } from './difference-chart.tsx'
import { pickVariants } from './pick-variants.ts'
import { ResultChecks } from './result-checks.tsx'
import { VariantTable } from './variant-table.tsx'
import { VerdictCard } from './verdict-card.tsx'
import { WaitingForUsers } from './waiting-for-users.tsx'

/** The interval at which the results of a running experiment are read again. */
const REFRESH_MS = 15_000
/** A flag may give a value to each user: the most seen ones are enough at first. */
const VARIANTS_AT_FIRST = 10

/** The results: first the verdict in words, then what it rests on, from the look to the number. */
export function ExperimentResultsPanel({ experiment }: { readonly experiment: Experiment }) {
  const [isComplete, setComplete] = useState(false)
  const params = { env_id: experiment.environment_id, key: experiment.key }
  const query = useQuery({
    ...endpointQuery('getExperimentResults', { params }),
    refetchInterval: experiment.status === 'running' ? REFRESH_MS : false,
  })
  const results = query.data
  if (!results) {
    if (!query.isError) return <SkeletonRows rows={5} height={84} />
    return (
      <Failure
        title="The results could not be loaded"
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    )
  }
  const words = describeResult(results)
  const variants = pickVariants(results.variants, isComplete ? results.variants.length : VARIANTS_AT_FIRST)
  const shown = new Set(variants.map(({ variant }) => variant))
  // Without a goal reached, each would state the same.
  const comparisons =
    results.total_converted === 0 ? [] : words.comparisons.filter(({ variant }) => shown.has(variant))
  const hidden = results.variants.length - variants.length
  return (
    <Stack gap="md">
      {query.isError && (
        <Failure title="These are older results: new ones could not be loaded" error={query.error} />
      )}
      <VerdictCard words={words} results={results} />
      <ShipWinner experiment={experiment} results={results} />
      <CleanUpNotice experiment={experiment} results={results} />
      {variants.length === 0 ? (
        <WaitingForUsers experiment={experiment} />
      ) : (
        <>
          {results.total_converted === 0 && <WaitingForUsers experiment={experiment} />}
          <VariantTable
            variants={variants}
            goal_event_key={experiment.goal_event_key}
            isTested={words.tone !== 'broken'}
          />
          {hidden > 0 && (
            <Button variant="default" size="xs" onClick={() => setComplete(true)} mx="auto">
              Show {countOf(hidden, 'more value')}
            </Button>
          )}
          {comparisons.length > 0 && words.tone !== 'broken' && <DifferenceChart variants={variants} />}
          {comparisons.length > 0 && (
            <ComparisonList comparisons={comparisons} severalNote={words.severalNote} />
          )}
          <ResultChecks words={words} />
        </>
      )}
    </Stack>
  )
}
