import type { CurrentUser, SecondFactor } from '@burgee/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../shared/api/call.ts'
import { COOKIE_DROPPED, isCookieDropped } from '../../shared/api/is-cookie-dropped.ts'
import { endpointKey } from '../../shared/api/queries.ts'
import { type LoginFailure, toLoginFailure } from './login-failure.ts'
import { requiredFactors } from './required-factors.ts'
import { useLock } from './use-lock.ts'

interface Credentials {
  readonly email: string
  readonly password: string
}

type Missing = { readonly [K in keyof Credentials]?: string | undefined }

const ME = endpointKey('getCurrentUser', {})

/** The state of a login. The e-mail of the last login is filled in. */
export function useLoginForm(onDone: () => void) {
  const client = useQueryClient()
  const [credentials, setCredentials] = useState<Credentials>(() => ({
    email: client.getQueryData<CurrentUser>(ME)?.email ?? '',
    password: '',
  }))
  const [isBusy, setBusy] = useState(false)
  const [missing, setMissing] = useState<Missing>({})
  const [failure, setFailure] = useState<LoginFailure | null>(null)
  const [factors, setFactors] = useState<readonly SecondFactor[] | null>(null)
  const lock = useLock(credentials.email)
  const refs = { email: useRef<HTMLInputElement>(null), password: useRef<HTMLInputElement>(null) }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first empty field takes the focus once
  useEffect(() => (credentials.email === '' ? refs.email : refs.password).current?.focus(), [])

  const set = (change: Partial<Credentials>) => {
    setCredentials({ ...credentials, ...change })
    setMissing({})
    if (change.email !== undefined && failure?.kind === 'refused') setFailure(null)
  }
  const signedIn = async (user: CurrentUser) => {
    if (await isCookieDropped()) return setFailure({ kind: 'refused', message: COOKIE_DROPPED })
    client.setQueryData(ME, user)
    onDone()
  }
  const restart = (reason: string | null) => {
    setFactors(null)
    setCredentials({ ...credentials, password: '' })
    setFailure(reason === null ? null : { kind: 'refused', message: reason })
  }
  const submit = async () => {
    if (isBusy || lock.secondsLeft > 0) return
    const lacking = findMissing(credentials)
    setMissing(lacking)
    if (lacking.email) return refs.email.current?.focus()
    if (lacking.password) return refs.password.current?.focus()
    setBusy(true)
    try {
      await signedIn(await call('login', { body: credentials }))
    } catch (error) {
      const next = requiredFactors(error)
      if (next !== null) return setFactors(next)
      const why = toLoginFailure(error)
      setFailure(why)
      if (why.kind === 'locked') lock.start(why.seconds)
      refs.password.current?.select()
    } finally {
      setBusy(false)
    }
  }
  // A lock that is over, or another account's, is not shown.
  const isTold = failure !== null && (failure.kind === 'refused' || lock.secondsLeft > 0)
  const message = isTold ? failure.message : null
  return { credentials, set, submit, refs, isBusy, missing, message, lock, factors, signedIn, restart }
}

const findMissing = ({ email, password }: Credentials): Missing => ({
  email: email.trim() === '' ? 'Enter your e-mail address.' : undefined,
  password: password === '' ? 'Enter your password.' : undefined,
})
