import { Stack } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { LeaveDialog } from '../../shared/ui/leave-dialog.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { DoneStep } from './done-step.tsx'
import { EnvironmentsStep } from './environments-step.tsx'
import { FilesStep } from './files-step.tsx'
import { ReviewStep } from './review-step.tsx'
import { StepList } from './step-list.tsx'
import { type ImportState, useImport } from './use-import.ts'

/** Imports flags of another service: files, environments, a report with its preview, and the write. */
export function ImportPage() {
  const state = useImport()
  const { kind } = state.stage
  const { files, names } = state.draft
  const step = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The next step begins at its top, for the keyboard and screen readers too.
    if (kind === 'files') return
    step.current?.focus({ preventScroll: true })
    window.scrollTo({ top: 0 })
  }, [kind])
  return (
    <Page
      title="Import flags"
      description="From another service. Nothing is saved until you confirm the last step."
    >
      <Stack gap="lg">
        <StepList current={kind} />
        <div ref={step} tabIndex={-1} style={{ outline: 'none' }}>
          <Step state={state} />
        </div>
      </Stack>
      <LeaveDialog isDirty={kind !== 'done' && (files.length > 0 || names !== '')} noun="import" />
    </Page>
  )
}

function Step({ state }: { readonly state: ImportState }) {
  const { stage } = state
  switch (stage.kind) {
    case 'files':
      return <FilesStep state={state} />
    case 'environments':
      return <EnvironmentsStep state={state} result={stage.result} />
    case 'review':
      return <ReviewStep state={state} result={stage.result} plans={stage.plans} />
    case 'done':
      return <DoneStep state={state} result={stage.result} applied={stage.applied} />
  }
}
