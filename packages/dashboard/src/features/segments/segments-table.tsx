import type { Segment } from '@burgee/contract'
import { Code, Paper, Skeleton, Table, Text } from '@mantine/core'
import { useScope } from '../../shared/scope/use-scope.ts'
import { countOf } from '../../shared/ui/count-of.ts'
import { AnchorLink } from '../../shared/ui/links.tsx'
import { Time } from '../../shared/ui/time.tsx'
import classes from './segments.module.css'

interface SegmentsTableProps {
  readonly segments: readonly Segment[]
  /** Flags that depend on each segment; null while that is not known. */
  readonly counts: ReadonlyMap<string, number> | null
  readonly isFiltered: boolean
}

export function SegmentsTable({ segments, counts, isFiltered }: SegmentsTableProps) {
  return (
    <>
      <Text size="xs" c="dimmed" mb={6} role="status">
        {countOf(segments.length, 'segment')}
        {isFiltered && ' found'}
      </Text>
      {segments.length > 0 && (
        <Paper withBorder className={classes.table}>
          <Table highlightOnHover layout="fixed">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Segment</Table.Th>
                <Table.Th visibleFrom="sm">Description</Table.Th>
                <Table.Th className={classes.number}>Rules</Table.Th>
                <Table.Th className={classes.number}>Used by</Table.Th>
                <Table.Th visibleFrom="md" className={classes.time}>
                  Created
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {segments.map((segment) => (
                <SegmentRow key={segment.id} segment={segment} counts={counts} />
              ))}
            </Table.Tbody>
          </Table>
        </Paper>
      )}
    </>
  )
}

function SegmentRow({ segment, counts }: Pick<SegmentsTableProps, 'counts'> & { readonly segment: Segment }) {
  const { project_id, environment_id } = useScope()
  return (
    <Table.Tr>
      <Table.Td>
        <AnchorLink
          to="/projects/$project_id/environments/$environment_id/segments/$segment_key"
          params={{ project_id, environment_id, segment_key: segment.key }}
          className={classes.name}
        >
          {segment.name}
        </AnchorLink>
        <Code className={classes.key}>{segment.key}</Code>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Text size="sm" c="dimmed" lineClamp={2} className={classes.any}>
          {segment.description}
        </Text>
      </Table.Td>
      <Table.Td className={classes.number}>{segment.rules.length}</Table.Td>
      <Table.Td className={classes.number}>
        {counts ? (
          <FlagCount count={counts.get(segment.key) ?? 0} />
        ) : (
          <Skeleton height={14} width={48} ml="auto" />
        )}
      </Table.Td>
      <Table.Td visibleFrom="md">
        <Time at={segment.created_at} />
      </Table.Td>
    </Table.Tr>
  )
}

function FlagCount({ count }: { readonly count: number }) {
  if (count === 0)
    return (
      <Text span size="sm" c="dimmed">
        no flag
      </Text>
    )
  return countOf(count, 'flag')
}
