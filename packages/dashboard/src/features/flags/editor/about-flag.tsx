import { OWNER_EMAIL_MAX_LENGTH } from '@burgee/contract'
import { FLAG_TYPES } from '@burgee/evaluation'
import { Select, TagsInput, Textarea, TextInput, Title } from '@mantine/core'
import { changeType } from './change-type.ts'
import classes from './flow.module.css'
import { FurtherFacts } from './further-facts.tsx'
import type { FlagDraft } from './use-flag-draft.ts'

const DESCRIPTION_ROWS_MAX = 10

/** The facts about the flag that are for people. Evaluation reads only the type. */
export function AboutFlag({
  editor,
  tagsSeen,
}: {
  readonly editor: FlagDraft
  readonly tagsSeen: readonly string[]
}) {
  const { draft, edit, locked, problems } = editor
  const isReadOnly = locked !== undefined
  return (
    <section className={classes.about} aria-labelledby="about-flag">
      <Title order={2} size="h5" id="about-flag">
        About
      </Title>
      <Textarea
        label="Description"
        placeholder="Its purpose, and when it can be removed"
        autosize
        minRows={2}
        maxRows={DESCRIPTION_ROWS_MAX}
        value={draft.description ?? ''}
        onChange={(event) => edit({ description: event.currentTarget.value || null })}
        error={problems['/description']}
        readOnly={isReadOnly}
      />
      <TextInput
        label="Owner"
        placeholder="ada@example.com"
        maxLength={OWNER_EMAIL_MAX_LENGTH}
        value={draft.owner_email ?? ''}
        onChange={(event) => edit({ owner_email: event.currentTarget.value || null })}
        error={problems['/owner_email']}
        readOnly={isReadOnly}
      />
      <TagsInput
        label="Tags"
        placeholder={draft.tags.length === 0 ? 'checkout, q3' : undefined}
        data={[...tagsSeen]}
        value={draft.tags}
        onChange={(tags) => edit({ tags })}
        error={problems['/tags']}
        readOnly={isReadOnly}
        classNames={{ inputField: classes.tag_field ?? '' }}
        isDuplicate={(tag, known) => known.includes(tag)}
      />
      <Select
        label="Type"
        description="Code that reads the flag expects values of this type."
        data={[...FLAG_TYPES]}
        value={draft.flag_type}
        onChange={(chosen) => {
          const flag_type = FLAG_TYPES.find((type) => type === chosen)
          if (flag_type && flag_type !== draft.flag_type) edit(changeType(draft, flag_type))
        }}
        allowDeselect={false}
        error={problems['/flag_type']}
        readOnly={isReadOnly}
      />
      <FurtherFacts editor={editor} />
    </section>
  )
}
