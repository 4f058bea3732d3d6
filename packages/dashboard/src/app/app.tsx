import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { type ReactNode, useEffect, useState } from 'react'
import { readStaleInto } from '../shared/api/read-stale.ts'
import { CSP_NONCE } from '../shared/csp-nonce.ts'
import { COLOR_SCHEME } from '../shared/user-data.ts'
import { CommentDialog } from './comment-dialog.tsx'
import { ConfirmIdentityDialog } from './confirm-identity-dialog.tsx'
import { createAppQueryClient } from './query-client.ts'
import { router } from './router.ts'
import { SignInAgain } from './sign-in-again.tsx'
import { theme } from './theme.ts'
import { Toasts } from './toasts.tsx'

// Dialogs lock the page's scrolling with a style of their own.
if (CSP_NONCE) setNonce(CSP_NONCE)

const colorScheme = localStorageColorSchemeManager({ key: COLOR_SCHEME })

/** Everything that pages share, around the router. */
export function App() {
  const [client] = useState(createAppQueryClient)
  useEffect(() => readStaleInto(client), [client])
  return (
    <QueryClientProvider client={client}>
      <MantineProvider
        theme={theme}
        defaultColorScheme="auto"
        colorSchemeManager={colorScheme}
        getStyleNonce={() => CSP_NONCE}
      >
        <RouterProvider router={router} context={{ client }} InnerWrap={Overlays} />
        <CommentDialog />
        <ConfirmIdentityDialog />
        <SignInAgain />
      </MantineProvider>
    </QueryClientProvider>
  )
}

/** Inside the router, since notices and dialogs hold links. */
function Overlays({ children }: { readonly children: ReactNode }) {
  return (
    <ModalsProvider>
      <Toasts />
      {children}
    </ModalsProvider>
  )
}
