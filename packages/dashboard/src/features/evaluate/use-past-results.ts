import type { EvaluateResult } from '@burgee/contract'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../shared/api/call.ts'
import { type Subject, toRequest } from './subject.ts'

const TYPING_PAUSE_MS = 250

export type PastItem = EvaluateResult['flags'][number]

/** Requests from the server what a user got at a past moment: of all flags, or of one with the steps. */
export function usePastResults(env_id: string, given: Subject, at: string | null, flag_key?: string) {
  const [subject] = useDebouncedValue(given, TYPING_PAUSE_MS)
  return useQuery({
    queryKey: ['evaluateEnvironment', env_id, subject, at, flag_key ?? null],
    queryFn: ({ signal }) => {
      const body = {
        ...toRequest(subject),
        ...(at !== null && { at }),
        ...(flag_key !== undefined && { flag_keys: [flag_key] }),
      }
      return call('evaluateEnvironment', { params: { env_id }, body }, { signal })
    },
    enabled: at !== null,
    placeholderData: keepPreviousData,
    retry: false,
  })
}
