import { type ChangeRequest, COMMENT_MAX_LENGTH } from '@burgee/contract'
import { Button, Group, Kbd, Stack, Text, Textarea } from '@mantine/core'
import { getHotkeyHandler } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { send } from '../../shared/api/call.ts'
import { endpointQuery } from '../../shared/api/queries.ts'
import { useSubmit } from '../../shared/forms/use-submit.ts'
import { Failure } from '../../shared/ui/failure.tsx'

/** Adds a comment to the discussion. What was written stays until the server has it. */
export function DiscussionForm({ request }: { readonly request: ChangeRequest }) {
  const client = useQueryClient()
  const [text, setText] = useState('')
  const { environment_id: env_id, id } = request
  const { errors, failure, formProps, isBusy } = useSubmit(['text'], async () => {
    if (text.trim() === '') return
    const params = { env_id, id }
    const { body } = await send('commentOnChangeRequest', { params, body: { text: text.trim() } })
    client.setQueryData(endpointQuery('getChangeRequest', { params }).queryKey, body)
    setText('')
  })
  return (
    <form {...formProps}>
      <Stack gap="xs">
        <Textarea
          aria-label="Write to the discussion"
          placeholder="Ask, or explain"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={getHotkeyHandler([['mod+Enter', () => formProps.ref.current?.requestSubmit()]])}
          maxLength={COMMENT_MAX_LENGTH}
          error={errors.text}
          autosize
          minRows={2}
          maxRows={8}
        />
        {failure !== null && <Failure error={failure} title="The comment was not added" />}
        <Group gap="xs">
          <Button type="submit" variant="default" size="xs" loading={isBusy} disabled={text.trim() === ''}>
            Comment
          </Button>
          <Text size="xs" c="dimmed" visibleFrom="sm">
            <Kbd size="xs">Ctrl</Kbd> <Kbd size="xs">Enter</Kbd>
          </Text>
        </Group>
      </Stack>
    </form>
  )
}
