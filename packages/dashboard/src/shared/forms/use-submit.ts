import { type FormEvent, useEffect, useRef, useState } from 'react'
import { type FieldErrors, fieldErrors } from './field-errors.ts'

interface Submission {
  /** For the form: `<form {...form_props}>`. */
  readonly form_props: {
    readonly ref: React.RefObject<HTMLFormElement | null>
    readonly noValidate: true
    readonly onSubmit: (event: FormEvent) => void
  }
  readonly is_busy: boolean
  /** What goes wrong and belongs to no field; null where nothing does. */
  readonly failure: unknown
  /** What is wrong with each field, to stand below it. */
  readonly errors: FieldErrors
}

/**
 * Sends a form: once at a time, with what the server refuses shown at the fields that it names, the first of which takes the
 * focus. `fields` are those that show their problems.
 */
export function useSubmit(fields: readonly string[], action: () => Promise<unknown>): Submission {
  const [is_busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const form = useRef<HTMLFormElement>(null)
  // Two presses of Enter may come before the page shows that the first one counts.
  const is_sending = useRef(false)
  useEffect(() => {
    if (failure !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [failure])
  const submit = async () => {
    if (is_sending.current) return
    is_sending.current = true
    setBusy(true)
    try {
      await action()
      setFailure(null)
    } catch (error) {
      setFailure(error)
    } finally {
      is_sending.current = false
      setBusy(false)
    }
  }
  const { errors, has_rest } = failure === null ? NOTHING : fieldErrors(failure, fields)
  return {
    form_props: {
      ref: form,
      noValidate: true,
      onSubmit: (event) => {
        event.preventDefault()
        // A dialog stands inside the page's own form in React's tree, though not in the document's.
        event.stopPropagation()
        void submit()
      },
    },
    is_busy,
    failure: has_rest ? failure : null,
    errors,
  }
}

const NOTHING = { errors: {}, has_rest: false } as const
