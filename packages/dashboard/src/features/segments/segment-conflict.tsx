import { describeSegmentChange, type Segment } from '@burgee/contract'
import { Alert, Button, Group, Text } from '@mantine/core'
import { IconGitMerge } from '@tabler/icons-react'
import { formatPhrase } from '../../parts/flag-diff/format-phrase.ts'
import classes from './segments.module.css'
import type { EditedSegment } from './use-segment-draft.ts'

interface SegmentConflictProps {
  readonly edited: EditedSegment
  /** As someone else saved it meanwhile. */
  readonly current: Segment
}

/** Shows a version that someone else saved during the edit, and the choice between the two. */
export function SegmentConflict({ edited, current }: SegmentConflictProps) {
  return (
    <Alert
      color="yellow"
      variant="light"
      role="alert"
      icon={<IconGitMerge size={18} />}
      title="Someone else changed this segment meanwhile"
    >
      <ul className={classes.phrases}>
        {describeSegmentChange(edited.base, current).map((phrase) => (
          <li key={phrase}>
            <Text size="sm" span>
              {formatPhrase(phrase)}
            </Text>
          </li>
        ))}
      </ul>
      <Group gap="xs" mt="xs">
        <Button size="xs" variant="default" onClick={() => edited.reset(current)}>
          Discard my changes
        </Button>
        <Button size="xs" variant="default" onClick={() => edited.rebase(current)}>
          Keep my changes
        </Button>
      </Group>
    </Alert>
  )
}
