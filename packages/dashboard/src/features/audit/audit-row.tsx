import type { AuditEntry } from '@burgee/contract'
import { Badge, Code, Collapse, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronRight } from '@tabler/icons-react'
import { useId } from 'react'
import { FlagDiff } from '../../parts/flag-diff/flag-diff.tsx'
import { CommentText } from '../../shared/comments/comment-text.tsx'
import { JsonDiff } from '../../shared/diff/json-diff.tsx'
import { useScope } from '../../shared/scope/use-scope.ts'
import { EnvironmentDot } from '../../shared/ui/environment-dot.tsx'
import { formatInstant } from '../../shared/ui/format-time.ts'
import { AnchorLink } from '../../shared/ui/links.tsx'
import { Time } from '../../shared/ui/time.tsx'
import classes from './audit.module.css'
import {
  credentialIn,
  describeEntry,
  describeEntryAction,
  describeKind,
  flagsIn,
  originOf,
  subjectOf,
} from './describe-entry.ts'

interface AuditRowProps {
  readonly entry: AuditEntry
  /** True if the list holds entries of several environments. */
  readonly hasEnvironment: boolean
}

/** One write as a sentence; its difference opens below. */
export function AuditRow({ entry, hasEnvironment }: AuditRowProps) {
  const [isOpen, { toggle }] = useDisclosure(false)
  const id = useId()
  const { kind, name } = subjectOf(entry)
  const origin = originOf(entry)
  const summary = describeEntry(entry)
  return (
    <li className={classes.entry}>
      <UnstyledButton className={classes.row} onClick={toggle} aria-expanded={isOpen} aria-controls={id}>
        <IconChevronRight
          size={16}
          className={classes.chevron}
          data-open={isOpen || undefined}
          aria-hidden="true"
        />
        <span className={classes.what}>
          <Text span size="sm" className={classes.sentence}>
            <b>{entry.actor_email}</b> {describeEntryAction(entry)} {kind !== 'flag' && describeKind(kind)}{' '}
            <b>{name}</b>
          </Text>
          {summary && (
            <Text span size="xs" c="dimmed" className={classes.summary}>
              {summary}
            </Text>
          )}
          <CommentText comment={entry.metadata?.comment} />
        </span>
        <span className={classes.marks}>
          {origin && (
            <Badge size="sm" variant="default" className={classes.origin}>
              {origin}
            </Badge>
          )}
          {hasEnvironment && <EntryEnvironment environment_id={entry.environment_id} />}
          <Time at={entry.created_at} size="xs" className={classes.time} />
        </span>
      </UnstyledButton>
      <Collapse expanded={isOpen} id={id}>
        {isOpen && <EntryDetail entry={entry} />}
      </Collapse>
    </li>
  )
}

function EntryEnvironment({ environment_id }: Pick<AuditEntry, 'environment_id'>) {
  const { environments } = useScope()
  const environment = environments.find(({ id }) => id === environment_id)
  if (environment_id === null)
    return (
      <Text span size="xs">
        Project
      </Text>
    )
  return (
    <span className={classes.environment}>
      {environment && <EnvironmentDot color={environment.color} size={8} />}
      <Text span size="xs" truncate>
        {environment?.name ?? 'A deleted environment'}
      </Text>
    </span>
  )
}

function EntryDetail({ entry }: { readonly entry: AuditEntry }) {
  const { project_id, environments } = useScope()
  const flags = flagsIn(entry)
  const is_there = environments.some(({ id }) => id === entry.environment_id)
  return (
    <div className={classes.detail}>
      {flags ? <FlagDiff {...flags} /> : <JsonDiff before={entry.before_data} after={entry.after_data} />}
      <Text size="xs" c="dimmed" component="div" className={classes.facts}>
        <span>{formatInstant(entry.created_at)}</span>
        <span>
          Action <Code>{entry.action}</Code>
        </span>
        {typeof entry.metadata?.request_id === 'string' && (
          <span>
            Request <Code>{entry.metadata.request_id}</Code>
          </span>
        )}
        {typeof entry.metadata?.address === 'string' && (
          <span>
            From <Code>{entry.metadata.address}</Code>
          </span>
        )}
        {credentialIn(entry) !== null && <span>With {credentialIn(entry)}</span>}
        {typeof entry.metadata?.reason === 'string' && <span>Reason: {entry.metadata.reason}</span>}
        {typeof entry.metadata?.bypass_reason === 'string' && (
          <span>Reason: {entry.metadata.bypass_reason}</span>
        )}
        {entry.flag_key !== '' && entry.environment_id !== null && is_there && (
          <AnchorLink
            size="xs"
            to="/projects/$project_id/environments/$environment_id/flags/$flag_key"
            params={{ project_id, environment_id: entry.environment_id, flag_key: entry.flag_key }}
          >
            Open the flag
          </AnchorLink>
        )}
        {flags?.before && flags.after && entry.environment_id !== null && is_there && (
          <AnchorLink
            size="xs"
            to="/projects/$project_id/environments/$environment_id/flags/$flag_key"
            params={{ project_id, environment_id: entry.environment_id, flag_key: entry.flag_key }}
            search={{ tab: 'history', restore: String(flags.before.revision) }}
          >
            Undo this change…
          </AnchorLink>
        )}
      </Text>
    </div>
  )
}
