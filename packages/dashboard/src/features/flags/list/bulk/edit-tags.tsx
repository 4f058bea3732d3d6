import { Button, Group, Stack, TagsInput } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useState } from 'react'
import { type CommentedEnvironment, useComment } from '../../../../shared/comments/use-comment.tsx'
import { countOf } from '../../../../shared/ui/count-of.ts'
import { Gated } from '../../../../shared/ui/gated.tsx'
import { BULK_LABELS } from './bulk-labels.ts'

interface TagsQuestion {
  readonly action: 'add_tags' | 'remove_tags'
  readonly amount: number
  /** Offered while typing. */
  readonly known: readonly string[]
  /** The environment that the comment is for. */
  readonly environment: CommentedEnvironment | undefined
  readonly onChosen: (tags: string[], comment: string | undefined) => void
}

/** Opens the dialog for the tags of a bulk action. */
export function editTags(question: TagsQuestion): void {
  const id = modals.open({
    title: `${BULK_LABELS[question.action].verb} ${question.action === 'add_tags' ? 'to' : 'from'} ${countOf(question.amount, 'flag')}`,
    children: <TagsForm {...question} onClose={() => modals.close(id)} />,
  })
}

function TagsForm({
  action,
  known,
  environment,
  onChosen,
  onClose,
}: TagsQuestion & { readonly onClose: () => void }) {
  const [tags, setTags] = useState<string[]>([])
  const { comment, field, permission } = useComment(environment, { takesFocus: false })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        if (tags.length === 0 || !permission.isAllowed) return
        onClose()
        onChosen(tags, comment)
      }}
    >
      <Stack gap="md">
        <TagsInput
          label="Tags"
          description="Enter adds one."
          data={[...known]}
          limit={50}
          value={tags}
          onChange={setTags}
          acceptValueOnBlur
          data-autofocus
        />
        {field}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Gated permission={permission}>
            <Button type="submit" disabled={tags.length === 0}>
              {BULK_LABELS[action].verb}
            </Button>
          </Gated>
        </Group>
      </Stack>
    </form>
  )
}
