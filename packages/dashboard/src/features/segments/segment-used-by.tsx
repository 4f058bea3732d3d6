import type { Flag, Segment } from '@burgee/contract'
import { Badge, Paper, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useScope } from '../../shared/scope/use-scope.ts'
import { AnchorLink } from '../../shared/ui/links.tsx'
import type { SegmentUsage } from './segment-usage.ts'
import classes from './segments.module.css'

/** The flags and segments whose rules name a segment, each with the way there. Null: not known yet. */
export function SegmentUsedBy({ usage }: { readonly usage: SegmentUsage | null }) {
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="used-by">
      <Title order={2} size="sm" id="used-by" mb="xs">
        Where it is used
      </Title>
      {usage ? <Uses usage={usage} /> : <Skeleton height={64} />}
    </Paper>
  )
}

function Uses({ usage }: { readonly usage: SegmentUsage }) {
  const { flags, indirectFlags, segments } = usage
  if (flags.length + indirectFlags.length + segments.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        Nowhere yet. Add a rule to a flag and choose this segment in it.
      </Text>
    )
  }
  return (
    <Stack gap="md">
      {flags.length > 0 && <FlagLinks label="In the rules of flags" flags={flags} />}
      {segments.length > 0 && <SegmentLinks segments={segments} />}
      {indirectFlags.length > 0 && <FlagLinks label="Through other segments" flags={indirectFlags} />}
    </Stack>
  )
}

function FlagLinks({ label, flags }: { readonly label: string; readonly flags: readonly Flag[] }) {
  const { project_id, environment_id } = useScope()
  return (
    <div>
      <Text size="xs" c="dimmed" mb={2}>
        {label} ({flags.length})
      </Text>
      <ul className={classes.list} aria-label={label}>
        {flags.map(({ key, archived_at }) => (
          <li key={key}>
            <AnchorLink
              size="sm"
              to="/projects/$project_id/environments/$environment_id/flags/$flag_key"
              params={{ project_id, environment_id, flag_key: key }}
            >
              {key}
            </AnchorLink>
            {archived_at !== null && (
              <Badge size="xs" variant="default" tt="none" ml={6}>
                Archived
              </Badge>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

function SegmentLinks({ segments }: { readonly segments: readonly Segment[] }) {
  const { project_id, environment_id } = useScope()
  return (
    <div>
      <Text size="xs" c="dimmed" mb={2}>
        In the rules of segments ({segments.length})
      </Text>
      <ul className={classes.list} aria-label="In the rules of segments">
        {segments.map(({ id, key, name }) => (
          <li key={id}>
            <AnchorLink
              size="sm"
              to="/projects/$project_id/environments/$environment_id/segments/$segment_key"
              params={{ project_id, environment_id, segment_key: key }}
            >
              {name}
            </AnchorLink>
          </li>
        ))}
      </ul>
    </div>
  )
}
