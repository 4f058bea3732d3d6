import type { BurgeeUser } from '@burgee/react'
import { BurgeeProvider, useEvaluation, useFlag, useStatus, useTrack, useVariant } from '@burgee/react'
import type { Client, DehydratedFlags, FlagKey } from '@burgee/sdk'
import { createElement, type FunctionComponent, memo, StrictMode, useEffect } from 'react'

/** The contents of a page, which the server writes into it. */
export interface PageData {
  readonly url: string
  readonly sdkKey: string
  readonly user: BurgeeUser
  readonly initial: DehydratedFlags | null
  readonly flagKeys: readonly FlagKey[]
}

/** The listener of a page to its components. */
interface PageListener {
  /** A component has rendered and is on the page. */
  onCommit(flagKey: string): void
}

interface AppProps extends Pick<PageData, 'user' | 'initial' | 'flagKeys'>, PageListener {
  readonly client: Client
}

/** The page of the tests: one line for each flag, and the status. */
export const App: FunctionComponent<AppProps> = ({ client, flagKeys, initial, onCommit, user }) =>
  createElement(
    StrictMode,
    null,
    createElement(
      BurgeeProvider,
      { client, user, initial },
      createElement(
        'ul',
        null,
        flagKeys.map((flagKey) => createElement(Line, { key: flagKey, flagKey, onCommit })),
      ),
      createElement(Buy),
      createElement(Status),
    ),
  )

const Line = memo(({ flagKey, onCommit }: PageListener & { flagKey: FlagKey }) => {
  const isOn = useFlag(flagKey)
  const value = useVariant(flagKey, 'none')
  const { value: same } = useEvaluation(flagKey, 'none')
  useEffect(() => onCommit(flagKey))
  return createElement('li', { id: flagKey }, `${flagKey}: ${isOn} ${value} ${same}`)
})

const Buy = () => {
  const track = useTrack()
  return createElement(
    'button',
    { id: 'buy', type: 'button', onClick: () => track('purchase', { value: 1 }) },
    'Buy',
  )
}

/** The state is an attribute, which changes while the page connects: the contents do not. */
const Status = () => createElement('meter', { 'data-ready': useStatus().isReady })
