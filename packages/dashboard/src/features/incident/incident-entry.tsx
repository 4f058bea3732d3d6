import type { Environment, IncidentEntry, PastImpact } from '@burgee/contract'
import { Badge, Checkbox, Skeleton, Text } from '@mantine/core'
import type { CSSProperties } from 'react'
import { describeOrigin } from '../../parts/audit-entries/describe-entry.ts'
import { describeImpact } from '../../parts/impact/index.tsx'
import { justBefore } from '../../shared/scope/just-before.ts'
import { formatInstant } from '../../shared/ui/format-time.ts'
import { AnchorLink } from '../../shared/ui/links.tsx'
import { Time } from '../../shared/ui/time.tsx'
import { describeDeed, describeSummary } from './describe-incident.ts'
import classes from './incident.module.css'

/** True for a summary that adds nothing to the deed: an action, or the field that the deed names. */
const isRepeated = (summary: string, action: string): boolean => REPEATED.has(summary) || summary === action
const REPEATED: ReadonlySet<string> = new Set(['created', 'deleted', 'archived_at'])

interface IncidentRowProps {
  readonly entry: IncidentEntry
  readonly environment: Environment | undefined
  readonly isChosen: boolean
  /** Why it cannot be chosen; null where it can. */
  readonly obstacle: string | null
  readonly onChoose: (isChosen: boolean) => void
  /** True where the users whom it affected are counted: their line is there before the number is. */
  readonly isCounted: boolean
  /** Null where no user could be counted, undefined until they are. */
  readonly impact: PastImpact | null | undefined
}

/** One write of the window, with the choice to undo it. */
export function IncidentRow(props: IncidentRowProps) {
  const { entry, environment, isChosen, obstacle, onChoose, impact, isCounted } = props
  const { action, actor_email, at, audit_id, comment, flag_keys, origin, project_id, summary, undone_by } =
    entry
  const style: CSSProperties & Record<'--entry-color', string | undefined> = {
    '--entry-color': environment?.color,
  }
  const [flag_key] = flag_keys
  const label = `${actor_email} ${describeDeed(entry)}`
  return (
    <li className={classes.entry} data-undone={undone_by !== null || undefined} style={style}>
      <Checkbox
        aria-label={`Choose: ${label}`}
        checked={isChosen}
        disabled={obstacle !== null}
        {...(obstacle !== null && { title: obstacle })}
        onChange={(event) => onChoose(event.currentTarget.checked)}
      />
      <div>
        <Text size="sm" className={classes.what ?? ''}>
          <b>{actor_email}</b> {describeDeed(entry)}
        </Text>
        <div className={classes.facts}>
          <Text size="sm" fw={600} component="span">
            {environment?.name ?? 'Another environment'}
          </Text>
          <Text size="xs" c="dimmed" component="span">
            {formatInstant(at)}
          </Text>
          <Time at={at} size="xs" span />
          {origin !== 'direct' && (
            <Badge variant="default" size="sm" tt="none">
              {describeOrigin(origin)}
            </Badge>
          )}
          {undone_by !== null && (
            <Badge variant="light" size="sm" tt="none">
              Undone
            </Badge>
          )}
          {flag_key !== undefined && (
            <AnchorLink
              size="xs"
              to="/projects/$project_id/environments/$environment_id/flags/$flag_key"
              params={{ project_id, environment_id: entry.environment_id, flag_key }}
              aria-label={`Open ${flag_key}, changed by entry ${audit_id}`}
            >
              Open flag
            </AnchorLink>
          )}
          <AnchorLink
            size="xs"
            to="/projects/$project_id/environments/$environment_id/evaluate"
            params={{ project_id, environment_id: entry.environment_id }}
            search={{ as_of: justBefore(at) }}
            aria-label={`State before entry ${audit_id}`}
          >
            State before
          </AnchorLink>
        </div>
        {summary !== '' && !isRepeated(summary, action) && (
          <Text size="sm" c="dimmed" className={classes.what ?? ''}>
            {describeSummary(summary)}
          </Text>
        )}
        {(isCounted || impact) && <AffectedUsers impact={impact} />}
        {comment !== null && (
          <Text size="sm" fs="italic" className={classes.what ?? ''}>
            “{comment}”
          </Text>
        )}
      </div>
    </li>
  )
}

function AffectedUsers({ impact }: Pick<IncidentRowProps, 'impact'>) {
  const sentence = impact ? describeImpact(impact) : null
  return (
    <Text
      size="sm"
      component="div"
      className={classes.affected ?? ''}
      {...(sentence === null && { c: 'dimmed' })}
    >
      {impact === undefined ? (
        <Skeleton height="0.9lh" width="min(22rem, 100%)" aria-hidden />
      ) : (
        (sentence ?? 'No users were counted.')
      )}
    </Text>
  )
}
