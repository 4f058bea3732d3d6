import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { hasStatus } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/call.ts'

type TokenState =
  | { readonly state: 'checking' }
  /** There is none yet, or a wrong one: `error` states it. */
  | { readonly state: 'asked'; readonly error: unknown }
  | { readonly state: 'accepted'; readonly token: string }
  /** The workspace is set up: the token is no longer needed. */
  | { readonly state: 'complete' }

/**
 * The setup token of the address. It is taken out of the address at once and kept in memory alone. Until
 * setup is complete, it gives access to the whole server.
 */
export function useSetupToken() {
  const navigate = useNavigate()
  const { token: addressed }: { token?: string } = useSearch({ strict: false })
  const [given] = useState(addressed)
  const [state, setState] = useState<TokenState>({ state: 'checking' })
  const check = useCallback(async (token: string | undefined) => {
    try {
      const bearer = token === undefined ? {} : { bearer: token }
      const { is_setup_complete } = await call('getSetup', {}, bearer)
      setState(is_setup_complete ? { state: 'complete' } : { state: 'accepted', token: token ?? '' })
    } catch (error) {
      const isNone = token === undefined && hasStatus(error, 401)
      setState({ state: 'asked', error: isNone ? null : error })
    }
  }, [])
  useEffect(() => {
    void check(given)
  }, [check, given])
  useEffect(() => {
    if (addressed !== undefined) void navigate({ to: '/setup', replace: true })
  }, [addressed, navigate])
  return { ...state, check }
}
