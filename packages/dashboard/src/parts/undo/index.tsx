import { type ComponentProps, lazy, Suspense } from 'react'

const LoadedDialog = lazy(async () => ({ default: (await import('./undo-dialog.tsx')).UndoDialog }))

/** The dialog that undoes entries of the audit log (undo-dialog.tsx), loaded when it is opened. */
export function UndoDialog(props: ComponentProps<typeof LoadedDialog>) {
  return (
    <Suspense>
      <LoadedDialog {...props} />
    </Suspense>
  )
}
