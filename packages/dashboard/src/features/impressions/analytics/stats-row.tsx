import { type ImpressionStats, OTHER_NAME } from '@burgee/contract'
import { ActionIcon, Badge, Group, Skeleton, Tooltip } from '@mantine/core'
import { IconEye, IconTrash } from '@tabler/icons-react'
import { formatCount, formatShare } from '../../../shared/charts/format-number.ts'
import { Sparkline } from '../../../shared/charts/sparkline.tsx'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { AnchorLink, ButtonLink } from '../../../shared/ui/links.tsx'
import { Time } from '../../../shared/ui/time.tsx'
import classes from './stats-table.module.css'

interface StatsRowProps {
  readonly stats: ImpressionStats
  /** By day; undefined until they are there. */
  readonly counts: readonly number[] | undefined
  /** False where they could not be loaded. */
  readonly hasCounts: boolean
  /** False for a key that SDKs request and no flag has. */
  readonly isKnown: boolean
  /** Absent for those who may not delete. */
  readonly onDelete: (() => void) | undefined
}

export function StatsRow({ stats, counts, hasCounts, isKnown, onDelete }: StatsRowProps) {
  const { project_id, environment_id } = useScope()
  const { flag_key } = stats
  const scope = { project_id, environment_id }
  return (
    <tr>
      <th scope="row">
        <div className={classes.flag}>
          {isKnown ? (
            <AnchorLink
              to="/projects/$project_id/environments/$environment_id/flags/$flag_key"
              params={{ ...scope, flag_key }}
              className={classes.key}
              title={flag_key}
            >
              {flag_key}
            </AnchorLink>
          ) : (
            <>
              <span className={classes.key} title={flag_key}>
                {flag_key}
              </span>
              {flag_key === OTHER_NAME ? <OtherBadge /> : <UnknownBadge />}
            </>
          )}
        </div>
      </th>
      <td data-number data-label="Impressions">
        {formatCount(stats.total)}
      </td>
      <td data-label="True and false">
        <ValueBar stats={stats} />
      </td>
      <td data-number data-label="Users">
        {formatCount(stats.unique_users)}
      </td>
      <td data-label="Last 14 days" className={classes.chart}>
        {counts && <Sparkline counts={counts} label={describeDays(counts)} />}
        {!counts && hasCounts && <Skeleton w={84} h={24} />}
        {!hasCounts && <span className={classes.quiet}>Not loaded</span>}
      </td>
      <td data-label="Last seen">
        <Time at={stats.last_seen} />
      </td>
      <td className={classes.action}>
        <Group gap={4} wrap="nowrap" justify="flex-end">
          <ButtonLink
            size="compact-sm"
            variant="subtle"
            leftSection={<IconEye size={15} />}
            to="/projects/$project_id/environments/$environment_id/exposure"
            params={scope}
            search={{ flag_key }}
            aria-label={`Exposure of ${flag_key}`}
          >
            Exposure
          </ButtonLink>
          {onDelete && (
            <Tooltip label="Delete the reports">
              <ActionIcon
                size="sm"
                variant="subtle"
                color="gray"
                onClick={onDelete}
                aria-label={`Delete the reports of ${flag_key}`}
              >
                <IconTrash size={15} />
              </ActionIcon>
            </Tooltip>
          )}
        </Group>
      </td>
    </tr>
  )
}

const UnknownBadge = () => (
  <Badge size="sm" variant="default" tt="none" fw={500} flex="none">
    No such flag
  </Badge>
)

const OtherBadge = () => (
  <Tooltip
    multiline
    maw={300}
    label="Keys that no flag has, beyond those that are listed or that a client key may add in a day. Each of them counts its users once."
  >
    <Badge size="sm" variant="default" tt="none" fw={500} flex="none" tabIndex={0}>
      Other keys
    </Badge>
  </Tooltip>
)

/** Shares of true and false; flags that give other values have neither. */
function ValueBar({ stats: { true_count, false_count, total } }: { readonly stats: ImpressionStats }) {
  if (true_count + false_count === 0) return <span className={classes.quiet}>Other values</span>
  const width = (count: number) => ({ width: `${(count / total) * 100}%` })
  return (
    <div className={classes.shares}>
      <div className={classes.bar} aria-hidden="true">
        <span data-value="true" style={width(true_count)} />
        <span data-value="false" style={width(false_count)} />
      </div>
      <span className={classes.quiet}>
        {formatCount(true_count)} true ({formatShare(true_count / total)}), {formatCount(false_count)} false
      </span>
    </div>
  )
}

const describeDays = (counts: readonly number[]): string =>
  `${formatCount(counts.reduce((sum, count) => sum + count, 0))} impressions in ${counts.length} days, ${formatCount(Math.max(...counts))} on the busiest`
