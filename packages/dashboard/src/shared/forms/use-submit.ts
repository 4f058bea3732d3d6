import { type FormEvent, useEffect, useRef, useState } from 'react'
import { type FieldErrors, fieldErrors } from './field-errors.ts'

export interface Submission {
  /** For the form: `<form {...formProps}>`. */
  readonly formProps: {
    readonly ref: React.RefObject<HTMLFormElement | null>
    readonly noValidate: true
    readonly onSubmit: (event: FormEvent) => void
  }
  readonly isBusy: boolean
  /** The failure that belongs to no field; null where there is none. */
  readonly failure: unknown
  /** The problem of each field, shown below it. */
  readonly errors: FieldErrors
  /** Removes the problems of fields that are edited, until the form is sent again. */
  readonly dismiss: (fields: readonly string[]) => void
}

/**
 * Sends a form, once at a time. Problems that the server finds are shown at the fields that it names, the
 * first of which takes the focus. `fields` are those that show their problems.
 */
export function useSubmit(fields: readonly string[], action: () => Promise<unknown>): Submission {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const [dismissed, setDismissed] = useState<readonly string[]>([])
  const form = useRef<HTMLFormElement>(null)
  // Two presses of Enter may come before the page shows that the first one counts.
  const isSending = useRef(false)
  useEffect(() => {
    if (failure !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [failure])
  const submit = async () => {
    if (isSending.current) return
    isSending.current = true
    setBusy(true)
    setDismissed([])
    try {
      await action()
      setFailure(null)
    } catch (error) {
      setFailure(error)
    } finally {
      isSending.current = false
      setBusy(false)
    }
  }
  const { errors, hasRest } = failure === null ? NOTHING : fieldErrors(failure, fields)
  return {
    formProps: {
      ref: form,
      noValidate: true,
      onSubmit: (event) => {
        event.preventDefault()
        // A dialog is inside the page's own form in React's tree, though not in the document.
        event.stopPropagation()
        void submit()
      },
    },
    isBusy,
    failure: hasRest ? failure : null,
    errors: dismissed.length === 0 ? errors : withoutFields(errors, dismissed),
    dismiss: (edited) => setDismissed((before) => [...new Set([...before, ...edited])]),
  }
}

const withoutFields = (errors: FieldErrors, fields: readonly string[]): FieldErrors =>
  Object.fromEntries(Object.entries(errors).filter(([field]) => !fields.includes(field)))

const NOTHING = { errors: {}, hasRest: false } as const
