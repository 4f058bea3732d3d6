import type { Integration, IntegrationDelivery } from '@burgee/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../shared/api/call.ts'
import { refresh } from '../../shared/api/queries.ts'

/** The outcome of a test: an attempt with any response of the chat, or no attempt. */
export type TestOutcome =
  | { readonly kind: 'attempted'; readonly delivery: IntegrationDelivery }
  | { readonly kind: 'failed'; readonly error: unknown }

/** Sends a sample the way that real messages go. */
export function useTestIntegration({ environment_id, id }: Integration) {
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<TestOutcome | null>(null)
  const test = async () => {
    setBusy(true)
    try {
      const delivery = await call('testIntegration', { params: { env_id: environment_id, id } })
      setOutcome({ kind: 'attempted', delivery })
      void refresh(client, 'listIntegrationDeliveries')
    } catch (error) {
      setOutcome({ kind: 'failed', error })
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, outcome, test }
}
