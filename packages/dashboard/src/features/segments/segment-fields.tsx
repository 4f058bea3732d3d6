import type { Segment } from '@burgee/contract'
import { Alert, Paper, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { IconArrowsExchange } from '@tabler/icons-react'
import { countOf } from '../../shared/ui/count-of.ts'
import type { SegmentDraft } from './segment-draft.ts'
import type { SegmentUsage } from './segment-usage.ts'

interface SegmentFieldsProps {
  readonly segment: Segment
  readonly draft: SegmentDraft
  readonly onChange: (changes: Partial<SegmentDraft>) => void
  /** By JSON pointer into the segment. */
  readonly problems: Readonly<Record<string, string>>
  /** The reason why nothing can be changed; absent if it can. */
  readonly locked?: string | undefined
  /** Null until it is known. */
  readonly usage: SegmentUsage | null
}

export function SegmentFields({ segment, draft, onChange, problems, locked, usage }: SegmentFieldsProps) {
  const isLocked = locked !== undefined
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        {isLocked && (
          <Text size="sm" c="dimmed">
            {locked}
          </Text>
        )}
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <TextInput
            label="Name"
            required
            value={draft.name}
            error={problems['/name']}
            readOnly={isLocked}
            onChange={(event) => onChange({ name: event.currentTarget.value })}
          />
          <TextInput
            label="Key"
            required
            spellCheck={false}
            autoComplete="off"
            value={draft.key}
            error={problems['/key']}
            readOnly={isLocked}
            onChange={(event) => onChange({ key: event.currentTarget.value })}
          />
        </SimpleGrid>
        {draft.key !== segment.key && <RenameNotice segment_key={segment.key} usage={usage} />}
        <Textarea
          label="Description"
          placeholder="The users in the segment, in words"
          autosize
          minRows={1}
          maxRows={8}
          value={draft.description}
          error={problems['/description']}
          readOnly={isLocked}
          onChange={(event) => onChange({ description: event.currentTarget.value })}
        />
      </Stack>
    </Paper>
  )
}

function RenameNotice({ segment_key, usage }: { segment_key: string; usage: SegmentUsage | null }) {
  const holders = [
    ...counted(usage?.flags.length ?? 0, 'flag'),
    ...counted(usage?.segments.length ?? 0, 'segment'),
  ]
  return (
    <Alert variant="light" color="yellow" icon={<IconArrowsExchange size={18} />} role="status">
      <Text size="sm">
        {holders.length === 0
          ? `Nothing names “${segment_key}” in its rules.`
          : `The rules of ${holders.join(' and ')} that name “${segment_key}” are rewritten with the new key.`}{' '}
        Waiting change requests and scheduled changes follow. Code or scripts that call the API with the old
        key do not.
      </Text>
    </Alert>
  )
}

const counted = (count: number, noun: string): string[] => (count === 0 ? [] : [countOf(count, noun)])
