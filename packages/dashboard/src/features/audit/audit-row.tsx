import type { AuditEntry } from '@burgee/contract'
import { Badge, Collapse, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import {
  describeEntry,
  describeEntryAction,
  describeKind,
  originOf,
  subjectOf,
} from '../../parts/audit-entries/describe-entry.ts'
import { CommentText } from '../../shared/comments/comment-text.tsx'
import { EnvironmentDot } from '../../shared/ui/environment-dot.tsx'
import { Time } from '../../shared/ui/time.tsx'
import classes from './audit.module.css'
import { EntryDetail } from './entry-detail.tsx'
import type { EntryPlace } from './entry-place.ts'

interface AuditRowProps {
  readonly entry: AuditEntry
  readonly place: EntryPlace
  /** True for the only entry of a permalink. */
  readonly startsOpen?: boolean
  /** Further facts and links of the open entry. */
  readonly children?: ReactNode
}

/** One write as a sentence; its difference opens below. */
export function AuditRow({ entry, place, startsOpen = false, children }: AuditRowProps) {
  const [isOpen, { toggle }] = useDisclosure(startsOpen)
  const id = useId()
  const { kind, name } = subjectOf(entry)
  const origin = originOf(entry)
  const summary = describeEntry(entry)
  const isBypass = typeof entry.metadata?.bypass_reason === 'string'
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
            <Actor name={entry.actor_email} /> {describeEntryAction(entry)}{' '}
            {entry.action !== 'auth.login' && (
              <>
                {kind !== 'flag' && describeKind(kind)} <b>{name}</b>
              </>
            )}
          </Text>
          {summary && (
            <Text span size="xs" c="dimmed" className={classes.summary}>
              {summary}
            </Text>
          )}
          <CommentText comment={entry.metadata?.comment} />
        </span>
        <span className={classes.marks}>
          {isBypass && (
            <Badge size="sm" variant="light" color="red" className={classes.origin}>
              Without approval
            </Badge>
          )}
          {origin && !isBypass && (
            <Badge size="sm" variant="default" className={classes.origin}>
              {origin}
            </Badge>
          )}
          {place.label !== null && (
            <span className={classes.environment}>
              {place.color && <EnvironmentDot color={place.color} size={8} />}
              <Text span size="xs" truncate title={place.label}>
                {place.label}
              </Text>
            </span>
          )}
          <Time at={entry.created_at} size="xs" className={classes.time} />
        </span>
      </UnstyledButton>
      <Collapse expanded={isOpen} id={id}>
        {isOpen && (
          <EntryDetail entry={entry} place={place}>
            {children}
          </EntryDetail>
        )}
      </Collapse>
    </li>
  )
}

const SERVICE_ACCOUNT = 'service-account:'

/** The actor. A service account is marked as such, instead of by its prefix. */
function Actor({ name }: { readonly name: string }) {
  if (!name.startsWith(SERVICE_ACCOUNT)) return <b>{name}</b>
  return (
    <>
      <b>{name.slice(SERVICE_ACCOUNT.length)}</b>{' '}
      <Badge component="span" size="xs" variant="light" color="gray" tt="none">
        Service account
      </Badge>
    </>
  )
}
