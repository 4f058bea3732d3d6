'use client'

import { useFlag, useStatus, useTrack, useVariant } from '@burgee/react'

export function Shop({ user }) {
  const hasNewCheckout = useFlag('new-checkout')
  const theme = useVariant('theme', 'light')
  const track = useTrack()
  const { isReady } = useStatus()
  return (
    <main className={theme}>
      <nav>
        <strong>Skerry Supply</strong>
        <span className={isReady ? 'live' : ''}>{isReady ? 'Flags are live' : 'Flags of the server'}</span>
      </nav>
      <h1>Signal lantern No. 4</h1>
      <p>Solid brass, hand-spun, with a Fresnel lens that is seen two miles out.</p>
      <button type="button" onClick={() => track('purchase', { value: 49 })}>
        {hasNewCheckout ? 'Buy now, pay in one step' : 'Add to basket'}
      </button>
      <footer>
        You are {user.key} with the plan {user.attributes.plan}. The theme is {theme}.
      </footer>
    </main>
  )
}
