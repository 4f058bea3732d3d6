import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { createReaderKey } from '../../parts/connect-app/create-reader-key.ts'
import { call } from '../../shared/api/call.ts'
import { isCookieDropped } from '../../shared/api/is-cookie-dropped.ts'
import { endpointKey } from '../../shared/api/queries.ts'
import type { FieldErrors } from '../../shared/forms/field-errors.ts'
import type { FinishedSetup } from './finished-setup.ts'
import {
  FIELDS_OF_STEP,
  findProblems,
  NO_VALUES,
  readRefusal,
  type SetupValues,
  toSetupInput,
} from './setup-values.ts'

/** The values and actions that a step of the form works with. */
export interface StepProps {
  readonly values: SetupValues
  readonly errors: FieldErrors
  readonly isBusy: boolean
  readonly set: (change: Partial<SetupValues>) => void
  readonly back: () => void
}

/** The state of the wizard's form. What the server refuses leads back to the step that it is about. */
export function useSetupForm(token: string, onFinished: (finished: FinishedSetup) => void) {
  const client = useQueryClient()
  const [step, setStep] = useState<keyof typeof FIELDS_OF_STEP>('workspace')
  const [values, setValues] = useState(NO_VALUES)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [failure, setFailure] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  // The first field of a step, or the first with a problem, is where one goes on.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the step changes or problems are found
  useEffect(() => {
    const inputs = form.current
    ;(
      inputs?.querySelector<HTMLElement>('[aria-invalid="true"]') ??
      inputs?.querySelector<HTMLElement>('input')
    )?.focus()
  }, [step, errors])

  const send = async () => {
    setBusy(true)
    setFailure(null)
    try {
      const finished = await call('completeSetup', { body: toSetupInput(values) }, { bearer: token })
      client.clear()
      client.setQueryData(endpointKey('getCurrentUser', {}), finished.user)
      const hasSession = !(await isCookieDropped())
      const readerKey = hasSession ? await createReaderKey(finished.project.id, finished.sdk_key) : null
      onFinished({ ...finished, hasSession, readerKey })
    } catch (error) {
      const refusal = readRefusal(error)
      setErrors(refusal.errors)
      setFailure(refusal.hasRest ? error : null)
      if (FIELDS_OF_STEP.workspace.some((field) => field in refusal.errors)) setStep('workspace')
    } finally {
      setBusy(false)
    }
  }
  const submit = () => {
    if (isBusy) return
    const problems = findProblems(values, step)
    setErrors(problems)
    if (Object.keys(problems).length > 0) return
    if (step === 'workspace') setStep('account')
    else void send()
  }
  return {
    step,
    values,
    errors,
    failure,
    isBusy,
    set: (change: Partial<SetupValues>) => setValues({ ...values, ...change }),
    back: () => setStep('workspace'),
    formProps: {
      ref: form,
      noValidate: true,
      onSubmit: (event: FormEvent) => {
        event.preventDefault()
        submit()
      },
    },
  }
}
