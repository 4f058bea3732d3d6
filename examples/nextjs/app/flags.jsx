'use client'

import { BurgeeProvider } from '@burgee/react'
import { createClient } from '@burgee/sdk'
import { useState } from 'react'

/** Provides the flags of a user. On the server its client never connects: that renders from `initial`. */
export function Flags({ children, initial, sdkKey, url, user }) {
  const [client] = useState(() => createClient({ url, sdkKey }))
  return (
    <BurgeeProvider client={client} user={user} initial={initial}>
      {children}
    </BurgeeProvider>
  )
}
