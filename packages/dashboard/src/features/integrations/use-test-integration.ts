import type { Integration, IntegrationDelivery } from '@burgee/contract'
import { useState } from 'react'
import { send } from '../../shared/api/call.ts'

/** The outcome of a test: an attempt with any response of the chat, or no attempt. */
export type TestOutcome =
  | { readonly kind: 'attempted'; readonly delivery: IntegrationDelivery }
  | { readonly kind: 'failed'; readonly error: unknown }

/** Sends a sample the way that real messages go. */
export function useTestIntegration({ environment_id, id }: Integration) {
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<TestOutcome | null>(null)
  const test = async () => {
    setBusy(true)
    try {
      const { body } = await send('testIntegration', { params: { env_id: environment_id, id } })
      setOutcome({ kind: 'attempted', delivery: body })
    } catch (error) {
      setOutcome({ kind: 'failed', error })
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, outcome, test }
}
