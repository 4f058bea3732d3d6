import type { Flag } from '@burgee/contract'
import { FLAG_TYPES } from '@burgee/evaluation'
import { Button, Group, Input, SegmentedControl, Stack, TagsInput, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type CommentedEnvironment, useComment } from '../../../../shared/comments/use-comment.tsx'
import { useInputProblems } from '../../../../shared/editors/input-problems.tsx'
import actions from '../../../../shared/forms/actions.module.css'
import { useSubmit } from '../../../../shared/forms/use-submit.ts'
import { useScope } from '../../../../shared/scope/use-scope.ts'
import { Failure } from '../../../../shared/ui/failure.tsx'
import { Gated } from '../../../../shared/ui/gated.tsx'
import { tagsOf } from '../seen-in-flags.ts'
import { checkKey } from './check-key.ts'
import { KeyTaken } from './key-taken.tsx'
import { NewFlagValues } from './new-flag-values.tsx'
import { ScopeFields } from './scope-fields.tsx'
import { useCreateFlag } from './use-create-flag.ts'
import { type NewFlag, useNewFlag } from './use-new-flag.ts'

const FIELDS = ['key', 'description', 'default_value', 'disabled_value', 'tags', 'owner_email']

interface NewFlagFormProps {
  readonly flags: readonly Flag[]
  /** The key that the field has at first; empty for none. */
  readonly initialKey: string
  readonly onClose: () => void
}

export function NewFlagForm({ flags, initialKey, onClose }: NewFlagFormProps) {
  const { draft, change, changeKey, changeType, describe } = useNewFlag(initialKey)
  const [isTried, setTried] = useState(false)
  const create = useCreateFlag()
  const { comment, field, permission } = useComment(useCommentedEnvironment(draft), { takesFocus: false })
  const problem = checkKey(draft.key, flags)
  // A value that cannot be read yet is named at its field; the draft still has the one before it.
  const [unread] = useInputProblems()
  const { formProps, isBusy, failure, errors } = useSubmit(FIELDS, async () => {
    setTried(true)
    if (unread) document.getElementById(unread.id)?.focus()
    else if (problem === null && permission.isAllowed) await create(draft, comment)
  })
  const keyError =
    problem?.kind === 'taken' ? <KeyTaken flag={problem.flag} /> : (isTried || draft.key) && problem?.message
  return (
    <form {...formProps}>
      <Stack gap="md">
        <TextInput
          label="Key"
          description="Its name in code. It cannot be changed later."
          placeholder="new-checkout"
          value={draft.key}
          onChange={(event) => changeKey(event.currentTarget.value)}
          error={keyError || errors.key}
          data-autofocus
          required
          autoComplete="off"
          spellCheck={false}
        />
        <Textarea
          label="Description"
          placeholder="What does it change, and for whom?"
          value={draft.description}
          onChange={(event) => describe(event.currentTarget.value)}
          error={errors.description}
          autosize
          minRows={1}
          maxRows={4}
        />
        <Input.Wrapper label="Type" labelElement="div">
          <SegmentedControl
            aria-label="Type"
            fullWidth
            data={FLAG_TYPES.map((type) => ({ value: type, label: TYPE_NAMES[type] }))}
            value={draft.flag_type}
            onChange={changeType}
          />
        </Input.Wrapper>
        <NewFlagValues draft={draft} onChange={change} errors={errors} />
        <TagsInput
          label="Tags"
          placeholder={draft.tags.length > 0 ? '' : 'checkout'}
          data={tagsOf(flags)}
          limit={50}
          value={draft.tags}
          onChange={(tags) => change({ tags })}
          error={errors.tags}
          acceptValueOnBlur
        />
        <TextInput
          label="Owner"
          value={draft.owner_email}
          onChange={(event) => change({ owner_email: event.currentTarget.value })}
          error={errors.owner_email}
        />
        <ScopeFields draft={draft} onChange={change} />
        {field}
        {failure !== null && <Failure error={failure} title="The flag was not created" />}
        <Group justify="flex-end" gap="xs" className={actions.actions ?? ''}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Gated permission={permission}>
            <Button type="submit" loading={isBusy} disabled={problem?.kind === 'taken'}>
              Create flag
            </Button>
          </Gated>
        </Group>
      </Stack>
    </form>
  )
}

/** The environment that requires a comment, of those that the flag is created in; else the open one. */
function useCommentedEnvironment({ scope }: NewFlag): CommentedEnvironment | undefined {
  const { environment, environments } = useScope()
  const isRequired = (candidate: CommentedEnvironment | undefined) => candidate?.require_comment === true
  if (scope === 'this' || isRequired(environment)) return environment
  return environments.find(isRequired) ?? environment
}

const TYPE_NAMES = { boolean: 'Boolean', string: 'String', integer: 'Integer', json: 'JSON' } as const
