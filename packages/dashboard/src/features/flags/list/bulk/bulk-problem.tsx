import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { countOf } from '../../../../shared/ui/count-of.ts'
import classes from './bulk-bar.module.css'
import { BULK_LABELS } from './bulk-labels.ts'
import type { FinishedBulk } from './use-bulk.tsx'

/** Problems that are listed; the rest is counted. */
const LISTED_MAX = 200

interface BulkProblemProps {
  readonly finished: FinishedBulk | null
  readonly onClose: () => void
}

/** The part of a bulk action that was not done, flag by flag with the reason. */
export function BulkProblem({ finished, onClose }: BulkProblemProps) {
  return (
    <Modal opened={finished !== null} onClose={onClose} title="Not everything was done" size="lg">
      {finished && <Report {...finished} onClose={onClose} />}
    </Modal>
  )
}

function Report({ action, report, onUndo, onClose }: FinishedBulk & { readonly onClose: () => void }) {
  const { done, refused, untouched } = report
  const rest = refused.length - LISTED_MAX
  return (
    <Stack gap="md">
      <Text size="sm">
        {BULK_LABELS[action].done} {countOf(done.length, 'flag')}.
        {refused.length > 0 && ` ${countOf(refused.length, 'flag')} could not be changed.`}
        {untouched.length > 0 &&
          ` ${countOf(untouched.length, 'flag')} ${untouched.length === 1 ? 'was left as it is' : 'were left as they are'}.`}
      </Text>
      {refused.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which the keyboard must be able to do
        <ul className={classes.results} tabIndex={0} aria-label="Flags that could not be changed">
          {refused.slice(0, LISTED_MAX).map(({ key, reason }) => (
            <li key={key}>
              <b>{key}</b>: {reason}
            </li>
          ))}
          {rest > 0 && <li>and {countOf(rest, 'flag')} more</li>}
        </ul>
      )}
      <Group justify="flex-end" gap="xs">
        {onUndo && (
          <Button
            variant="default"
            onClick={() => {
              onClose()
              onUndo()
            }}
          >
            Undo the saved changes
          </Button>
        )}
        <Button onClick={onClose}>Close</Button>
      </Group>
    </Stack>
  )
}
