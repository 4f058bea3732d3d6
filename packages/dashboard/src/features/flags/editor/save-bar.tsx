import { Button, Group, Text } from '@mantine/core'
import type { InputProblem } from '../../../shared/editors/input-problems.tsx'
import { countOf } from '../../../shared/ui/count-of.ts'
import { CONFLICT_ID } from './conflict-panel.tsx'
import classes from './flow.module.css'
import type { FlagDraft } from './use-flag-draft.ts'

interface SaveBarProps {
  readonly editor: FlagDraft
  readonly inputProblems: readonly InputProblem[]
  /** The JSON tab holds a text that is not applied. */
  readonly hasJson: boolean
  readonly isGone: boolean
  readonly onDiscard: () => void
  readonly onReview: () => void
}

/** Stays in sight while there is something to save. */
export function SaveBar(props: SaveBarProps) {
  const { editor, inputProblems, hasJson, onDiscard } = props
  const [problem] = inputProblems
  return (
    <section className={classes.save} aria-label="Unsaved changes">
      <Text size="sm" className={classes.save_text} role="status">
        {problem ? (
          <>
            <b>{problem.label}</b> cannot be read: {problem.message}
          </>
        ) : (
          <SaveText editor={editor} hasJson={hasJson} />
        )}
      </Text>
      <Group gap="xs">
        <Button variant="subtle" color="gray" size="sm" onClick={onDiscard}>
          Discard
        </Button>
        <NextStep {...props} />
      </Group>
    </section>
  )
}

/** The next step towards a save: a field that cannot be read, a conflict, or the review. */
function NextStep({ editor, inputProblems: [problem], isGone, onReview }: SaveBarProps) {
  if (problem) {
    return (
      <Button size="sm" variant="default" onClick={() => scrollToField(problem.id)}>
        Go to it
      </Button>
    )
  }
  if (editor.theirs) {
    return (
      <Button size="sm" onClick={() => scrollToField(CONFLICT_ID)}>
        See what changed
      </Button>
    )
  }
  if (editor.changes.length === 0 || isGone) return null
  return (
    <Button size="sm" onClick={onReview}>
      Review changes
    </Button>
  )
}

function SaveText({ editor, hasJson }: Pick<SaveBarProps, 'editor' | 'hasJson'>) {
  const { changes, theirs } = editor
  if (theirs) return <>Someone else has changed this flag. Choose what to do with yours.</>
  if (changes.length === 0 && hasJson) return <>The JSON is changed and not applied yet.</>
  const [first = ''] = changes
  return (
    <>
      <b>{countOf(changes.length, 'change')}</b>
      {changes.length === 1 && first.length <= FIRST_MAX ? `: ${first}` : ' not saved yet'}
      {hasJson && ', and JSON that is not applied yet'}
    </>
  )
}

const FIRST_MAX = 60

function scrollToField(id: string): void {
  const element = document.getElementById(id)
  element?.scrollIntoView({ block: 'center' })
  const field = element?.querySelector<HTMLElement>('.cm-content') ?? element
  field?.focus({ preventScroll: true })
}
