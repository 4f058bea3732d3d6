import { Button, Group, Stack, TagsInput } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useState } from 'react'
import { BULK_LABELS, countFlags } from './bulk-labels.ts'

interface TagsQuestion {
  readonly action: 'add_tags' | 'remove_tags'
  readonly amount: number
  /** Offered while typing. */
  readonly known: readonly string[]
  readonly onChosen: (tags: string[]) => void
}

/** Opens the dialog for the tags of a bulk action. */
export function editTags(question: TagsQuestion): void {
  const id = modals.open({
    title: `${BULK_LABELS[question.action].verb} ${question.action === 'add_tags' ? 'to' : 'from'} ${countFlags(question.amount)}`,
    children: <TagsForm {...question} onClose={() => modals.close(id)} />,
  })
}

function TagsForm({ action, known, onChosen, onClose }: TagsQuestion & { readonly onClose: () => void }) {
  const [tags, setTags] = useState<string[]>([])
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        if (tags.length === 0) return
        onClose()
        onChosen(tags)
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
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={tags.length === 0}>
            {BULK_LABELS[action].verb}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
