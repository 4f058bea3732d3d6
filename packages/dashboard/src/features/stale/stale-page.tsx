import type { StaleFlag } from '@burgee/contract'
import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconFlagOff } from '@tabler/icons-react'
import { messageOf } from '../../shared/api/api-error.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { useUrlState } from '../../shared/scope/use-url-state.ts'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Failure } from '../../shared/ui/failure.tsx'
import { AnchorLink } from '../../shared/ui/links.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { Row, RowList } from '../../shared/ui/row-list.tsx'
import { SkeletonRows } from '../../shared/ui/skeleton-rows.tsx'
import { Time } from '../../shared/ui/time.tsx'
import { useFirstRows } from '../../shared/ui/use-first-rows.tsx'
import { describeVerdict } from './describe-verdict.ts'
import { EvidenceChips } from './evidence-chips.tsx'
import { findArchivable, useArchiveStale } from './use-archive-stale.tsx'
import { useComputeAgain, useStaleReport } from './use-stale-report.ts'

/** The flags of a project that may be removed, with the evidence. */
export function StalePage() {
  const { project_id } = useScope()
  const stale = useStaleReport(project_id)
  const [{ verdict }, set] = useUrlState({ verdict: 'remove' })
  const archive = useArchiveStale()
  const flags = stale.data?.flags ?? []
  const shown = flags.filter((flag) => flag.verdict === verdict)
  const archivable = findArchivable(shown)
  return (
    <Page
      title="Stale flags"
      description="Flags that can be removed, from the evaluations of 30 days and the values that flags can serve"
      actions={
        archivable.length > 0 && (
          <Button onClick={() => archive(archivable)}>
            Archive {archivable.length.toLocaleString('en')}
          </Button>
        )
      }
    >
      {stale.data === undefined && stale.error ? (
        <Failure
          error={stale.error}
          title="The flags could not be loaded"
          onRetry={() => void stale.refetch()}
        />
      ) : stale.data === undefined ? (
        <SkeletonRows rows={8} height={52} />
      ) : (
        <Stack gap="md">
          <Age computedAt={stale.data.computedAt} />
          <SegmentedControl
            aria-label="Verdict"
            value={verdict}
            onChange={(next) => set({ verdict: next })}
            data={VERDICTS.map(({ label, value }) => ({
              value,
              label: `${label} (${flags.filter((flag) => flag.verdict === value).length.toLocaleString('en')})`,
            }))}
            style={{ alignSelf: 'flex-start' }}
          />
          {shown.length === 0 ? (
            <EmptyState icon={<IconFlagOff size={22} />} title={TITLES[verdict] ?? 'No flags'}>
              {EMPTY[verdict] ?? EMPTY.remove}
            </EmptyState>
          ) : (
            <StaleList key={verdict} flags={shown} />
          )}
        </Stack>
      )}
    </Page>
  )
}

function Age({ computedAt }: { readonly computedAt: string | undefined }) {
  const { project_id } = useScope()
  const compute = useComputeAgain(project_id)
  if (computedAt === undefined) return null
  return (
    <Group gap="xs">
      <Text size="sm" c="dimmed">
        Evaluations as of <Time at={computedAt} inherit span />
      </Text>
      <Button variant="subtle" size="compact-sm" loading={compute.isPending} onClick={() => compute.mutate()}>
        Compute again
      </Button>
      {compute.error && (
        <Text size="sm" c="red" role="alert">
          {messageOf(compute.error)}
        </Text>
      )}
    </Group>
  )
}

const VERDICTS = [
  { value: 'remove', label: 'Remove' },
  { value: 'ask', label: 'Decide' },
  { value: 'keep', label: 'Keep' },
] as const

const TITLES: Readonly<Record<string, string>> = {
  remove: 'No flags to remove',
  ask: 'No flags to decide on',
  keep: 'No other flags',
}

const EMPTY: Readonly<Record<string, string>> = {
  remove:
    'No removable flags found. Programs have to report impressions, and a flag has to be unchanged for 30 days.',
  ask: 'No flag needs a decision.',
  keep: 'No other flag has evidence.',
}

function StaleList({ flags }: { readonly flags: readonly StaleFlag[] }) {
  const { project_id } = useScope()
  const { shown, more } = useFirstRows(flags)
  return (
    <>
      <RowList label="Stale flags" columns="minmax(0, 22rem)">
        {shown.map((flag) => (
          <Row
            key={flag.flag_key}
            title={
              <AnchorLink
                inherit
                to="/projects/$project_id/flags/$flag_key"
                params={{ project_id, flag_key: flag.flag_key }}
              >
                {flag.flag_key}
              </AnchorLink>
            }
            subtitle={<Text inherit>{describeVerdict(flag)}</Text>}
          >
            <EvidenceChips evidence={flag.evidence} />
          </Row>
        ))}
      </RowList>
      {more}
    </>
  )
}
