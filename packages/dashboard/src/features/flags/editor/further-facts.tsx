import { Anchor, Checkbox, Stack, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { joinLinks, joinMetadata, readLinks, readMetadata } from './fact-lines.ts'
import type { FlagDraft } from './use-flag-draft.ts'

const FIELDS = ['lifetime', 'expires_at', 'managed_by', 'links', 'metadata', 'client_visible'] as const
/** The date of a time of ISO 8601. */
const DATE_LENGTH = 10

/** Facts of the life of a flag, and what programs receive with it. Closed for flags without any. */
export function FurtherFacts({ editor }: { readonly editor: FlagDraft }) {
  const { draft, locked } = editor
  const [isOpen, setOpen] = useState(false)
  if (isOpen || FIELDS.some((field) => draft[field] !== undefined)) return <Facts editor={editor} />
  if (locked !== undefined) return null
  return (
    <Anchor component="button" type="button" size="sm" w="fit-content" onClick={() => setOpen(true)}>
      More: lifetime, browsers, links, metadata
    </Anchor>
  )
}

function Facts({ editor }: { readonly editor: FlagDraft }) {
  const { draft, edit, locked, problems } = editor
  const isReadOnly = locked !== undefined
  return (
    <Stack gap="sm">
      <Checkbox
        label="Permanent"
        description="It is meant to stay, such as a switch for operations."
        checked={draft.lifetime === 'permanent'}
        onChange={({ currentTarget }) => edit({ lifetime: currentTarget.checked ? 'permanent' : undefined })}
        disabled={isReadOnly}
      />
      <Checkbox
        label="Hidden from browsers"
        description={HIDDEN_DESCRIPTION}
        checked={draft.client_visible === false}
        onChange={({ currentTarget }) => edit({ client_visible: currentTarget.checked ? false : undefined })}
        error={problems['/client_visible']}
        disabled={isReadOnly}
      />
      <TextInput
        type="date"
        label="Expires"
        description="The date by which the code should no longer use it."
        value={draft.expires_at?.slice(0, DATE_LENGTH) ?? ''}
        onChange={({ currentTarget: { value } }) =>
          edit({ expires_at: value === '' ? undefined : `${value}T00:00:00.000Z` })
        }
        error={problems['/expires_at']}
        readOnly={isReadOnly}
      />
      <TextInput
        label="Managed by"
        placeholder="The configuration that owns it"
        value={draft.managed_by ?? ''}
        onChange={({ currentTarget }) => edit({ managed_by: currentTarget.value || undefined })}
        error={problems['/managed_by']}
        readOnly={isReadOnly}
      />
      <Lines
        label="Links"
        placeholder="Ticket 17 https://tracker.example.com/17"
        description="One on each line: a title and an address."
        value={joinLinks(draft.links)}
        onChange={(text) => edit({ links: readLinks(text) })}
        error={problemBelow(problems, '/links')}
        isReadOnly={isReadOnly}
      />
      <Lines
        label="Metadata"
        placeholder="team: web"
        description="One on each line: a name, a colon and a value. Programs receive it."
        value={joinMetadata(draft.metadata)}
        onChange={(text) => edit({ metadata: readMetadata(text) })}
        error={problemBelow(problems, '/metadata')}
        isReadOnly={isReadOnly}
      />
    </Stack>
  )
}

const HIDDEN_DESCRIPTION =
  'Client keys do not receive it. Anyone can read what a browser or an app receives: the name of each ' +
  'flag, its rules with their values, and what it serves. A visible flag that needs this one still sends it.'

const problemBelow = (problems: FlagDraft['problems'], path: string): string | undefined =>
  Object.entries(problems).find(([at]) => at === path || at.startsWith(`${path}/`))?.[1]

interface LinesProps {
  readonly label: string
  readonly description: string
  readonly placeholder: string
  readonly value: string
  readonly onChange: (text: string) => void
  readonly error: string | undefined
  readonly isReadOnly: boolean
}

/** A text of lines, which is read when the focus leaves it. */
function Lines({ value, onChange, isReadOnly, ...field }: LinesProps) {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <Textarea
      {...field}
      autosize
      minRows={1}
      value={typed ?? value}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={() => {
        if (typed !== null) onChange(typed)
        setTyped(null)
      }}
      readOnly={isReadOnly}
      spellCheck={false}
    />
  )
}
