import type { AuditEntry } from '@burgee/contract'
import { Code, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { credentialIn, flagsIn } from '../../parts/audit-entries/describe-entry.ts'
import { FlagDiff } from '../../parts/flag-diff/flag-diff.tsx'
import { JsonDiff } from '../../shared/diff/json-diff.tsx'
import { formatInstant } from '../../shared/ui/format-time.ts'
import { AnchorLink } from '../../shared/ui/links.tsx'
import classes from './audit.module.css'
import { EntryHash } from './entry-hash.tsx'
import type { EntryPlace } from './entry-place.ts'
import { UndoEntry } from './undo-entry.tsx'

interface EntryDetailProps {
  readonly entry: AuditEntry
  readonly place: EntryPlace
  /** Further facts and links. */
  readonly children?: ReactNode
}

/** Segments are undone like flags, with the flags that name them. */
const isOfSegment = ({ metadata }: AuditEntry): boolean =>
  typeof metadata?.resource === 'string' && metadata.resource.startsWith('segment:')

/** The difference of an entry, and everything that is known of its origin. */
export function EntryDetail({ entry, place, children }: EntryDetailProps) {
  const flags = flagsIn(entry)
  const { metadata } = entry
  const texts = [metadata?.reason, metadata?.bypass_reason].filter((text) => typeof text === 'string')
  return (
    <div className={classes.detail}>
      {flags ? <FlagDiff {...flags} /> : <JsonDiff before={entry.before_data} after={entry.after_data} />}
      <Text size="xs" c="dimmed" component="div" className={classes.facts}>
        <span>{formatInstant(entry.created_at)}</span>
        <span>
          Action <Code>{entry.action}</Code>
        </span>
        {typeof metadata?.request_id === 'string' && (
          <span>
            Request <Code>{metadata.request_id}</Code>
          </span>
        )}
        {typeof metadata?.address === 'string' && (
          <span>
            From <Code>{metadata.address}</Code>
          </span>
        )}
        {credentialIn(entry) !== null && <span>With {credentialIn(entry)}</span>}
        {texts.map((text) => (
          <span key={text}>Reason: {text}</span>
        ))}
        {entry.flag_key !== '' && place.environment && (
          <AnchorLink
            size="xs"
            to="/projects/$project_id/environments/$environment_id/flags/$flag_key"
            params={{ ...place.environment, flag_key: entry.flag_key }}
          >
            Open the flag
          </AnchorLink>
        )}
        {(flags ?? isOfSegment(entry)) && place.environment && (
          <UndoEntry entry={entry} place={place.environment} />
        )}
        {children}
      </Text>
      <EntryHash entry={entry} />
    </div>
  )
}
