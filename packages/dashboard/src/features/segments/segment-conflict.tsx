import type { Segment } from '@burgee/contract'
import { Alert, Button, Group, Text } from '@mantine/core'
import { IconGitMerge } from '@tabler/icons-react'
import { describeSegmentChange } from './describe-segment-change.ts'
import classes from './segments.module.css'
import type { EditedSegment } from './use-segment-draft.ts'

interface SegmentConflictProps {
  readonly edited: EditedSegment
  /** As somebody else saved it meanwhile. */
  readonly current: Segment
}

/** Somebody else saved the segment while it was edited here: what they did, and whose version goes on. */
export function SegmentConflict({ edited, current }: SegmentConflictProps) {
  return (
    <Alert
      color="yellow"
      variant="light"
      role="alert"
      icon={<IconGitMerge size={18} />}
      title="Somebody else changed this segment meanwhile"
    >
      <ul className={classes.phrases}>
        {describeSegmentChange(edited.base, current).map((phrase) => (
          <li key={phrase}>
            <Text size="sm" span>
              {phrase}
            </Text>
          </li>
        ))}
      </ul>
      <Group gap="xs" mt="xs">
        <Button size="xs" variant="default" onClick={() => edited.reset(current)}>
          Take theirs and drop my edits
        </Button>
        <Button size="xs" variant="default" onClick={() => edited.rebase(current)}>
          Keep my edits and go on
        </Button>
      </Group>
    </Alert>
  )
}
