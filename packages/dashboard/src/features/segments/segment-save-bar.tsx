import { describeSegmentChange } from '@burgee/contract'
import { Button, Group, Kbd, Paper, Text } from '@mantine/core'
import { countOf } from '../../shared/ui/count-of.ts'
import { applyDraft } from './segment-draft.ts'
import classes from './segments.module.css'
import type { EditedSegment } from './use-segment-draft.ts'

interface SegmentSaveBarProps {
  readonly edited: EditedSegment
  readonly onReview: () => void
  readonly onDiscard: () => void
}

/** States how much is not saved yet, as long as something is not. */
export function SegmentSaveBar({ edited, onReview, onDiscard }: SegmentSaveBarProps) {
  const count = describeSegmentChange(edited.base, applyDraft(edited.base, edited.draft)).length
  return (
    <Paper withBorder className={classes.bar} role="region" aria-label="Unsaved changes">
      <Group justify="space-between" gap="xs">
        <Text size="sm" role="status">
          {countOf(count, 'unsaved change')}
        </Text>
        <Group gap="xs">
          <Button variant="subtle" color="gray" onClick={onDiscard}>
            Discard
          </Button>
          <Button
            onClick={onReview}
            rightSection={
              <Kbd size="xs" visibleFrom="sm">
                Ctrl S
              </Kbd>
            }
          >
            Review and save
          </Button>
        </Group>
      </Group>
    </Paper>
  )
}
