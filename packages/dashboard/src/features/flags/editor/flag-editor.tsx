import type { Flag } from '@burgee/contract'
import { Alert } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconEyeOff } from '@tabler/icons-react'
import { useState } from 'react'
import { InputProblems, useInputProblems } from '../../../shared/editors/input-problems.tsx'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { AccessRequest } from '../../../shared/ui/access-request.tsx'
import { LeaveDialog } from '../../../shared/ui/leave-dialog.tsx'
import { Page } from '../../../shared/ui/page.tsx'
import { EnvironmentStrip } from '../environments/environment-strip.tsx'
import { ConflictPanel } from './conflict-panel.tsx'
import { EditorTabs } from './editor-tabs.tsx'
import { ArchivedBanner, CopyKey, FlagHead, GoneBanner } from './flag-head.tsx'
import { FlagWarnings } from './flag-warnings.tsx'
import classes from './flow.module.css'
import { InvariantShields } from './invariant-shields.tsx'
import type { JsonTyping } from './json-typing.ts'
import { NoFlag } from './no-flag.tsx'
import { PageActions } from './page-actions.tsx'
import { SaveBar } from './save-bar.tsx'
import { SaveDialogs, type SaveStep } from './save-dialogs.tsx'
import { useFlagDraft } from './use-flag-draft.ts'

interface FlagEditorProps {
  readonly flag: Flag
  /** The reason why nothing can be changed; absent if it can. */
  readonly locked: string | undefined
  /** It has been deleted: a draft of it is kept in sight. */
  readonly isGone: boolean
}

/** One flag: its effect, its history, its planned changes, and a draft of it that is saved after a review. */
export function FlagEditor(props: FlagEditorProps) {
  return (
    <InputProblems>
      <Editor {...props} />
    </InputProblems>
  )
}

function Editor({ flag, locked, isGone }: FlagEditorProps) {
  const { environment } = useScope()
  const editor = useFlagDraft(flag, locked)
  const inputProblems = useInputProblems()
  const [jsonTyping, setJsonTyping] = useState<JsonTyping | null>(null)
  const [step, setStep] = useState<SaveStep>('none')
  const hasChanges = editor.changes.length > 0
  const isDirty = hasChanges || inputProblems.length > 0 || jsonTyping !== null
  const isReady = hasChanges && inputProblems.length === 0 && editor.theirs === null && !isGone
  const review = () => setStep('review')
  const discard = () => {
    editor.discard()
    setJsonTyping(null)
  }
  useHotkeys([['mod+S', () => isReady && step === 'none' && review()]], [], true)
  if (isGone && !isDirty) return <NoFlag flag_key={flag.key} />
  return (
    <Page
      title={flag.key}
      heading={<span className={classes.key}>{flag.key}</span>}
      beside={<CopyKey flag_key={flag.key} />}
      description={<FlagHead flag={flag} />}
      actions={<PageActions flag={flag} />}
    >
      {locked !== undefined && (
        <Alert color="gray" mb="md" icon={<IconEyeOff size={18} />} title="Read-only">
          {locked}
          <AccessRequest
            wanted={`a role that may change flags in ${environment?.name ?? 'this environment'}`}
            isProjectRole
          />
        </Alert>
      )}
      {flag.archived_at !== null && <ArchivedBanner archived_at={flag.archived_at} />}
      {isGone && <GoneBanner />}
      <EnvironmentStrip flag_key={flag.key} />
      <InvariantShields flag_key={flag.key} />
      {!isGone && <FlagWarnings flag={flag} />}
      <ConflictPanel editor={editor} />
      <EditorTabs
        flag={flag}
        editor={editor}
        jsonTyping={jsonTyping}
        onJsonTyping={setJsonTyping}
        onReview={review}
      />
      {isDirty && (
        <SaveBar
          editor={editor}
          inputProblems={inputProblems}
          hasJson={jsonTyping !== null}
          isGone={isGone}
          onDiscard={discard}
          onReview={review}
        />
      )}
      <SaveDialogs editor={editor} step={step} onStep={setStep} onScheduled={discard} />
      <LeaveDialog isDirty={isDirty} noun="flag" />
    </Page>
  )
}
