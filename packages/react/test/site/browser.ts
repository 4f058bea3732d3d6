import { type Client, createClient } from '@burgee/sdk'
import { createElement, useState } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { App, type PageData } from './app.ts'

/** The variables of a page that tests read and change. */
export interface PageWindow {
  readonly pageData: PageData
  readonly client: Client
  /** Changes of the contents since the browser has read the page. */
  readonly changes: readonly string[]
  /** The differences to the server's page that React reports. */
  readonly mismatches: string[]
  /** The number of commits by flag key. */
  readonly commits: Record<string, number>
  setUser(user: PageData['user']): void
}

// The page declares the rest before this script runs.
const page = globalThis as unknown as { -readonly [Name in keyof PageWindow]: PageWindow[Name] }
const { flagKeys, initial, sdkKey, url, user: firstUser } = page.pageData
const client = createClient({ url, sdkKey })
page.client = client
page.mismatches = []
page.commits = {}

const onCommit = (flagKey: string) => {
  page.commits[flagKey] = (page.commits[flagKey] ?? 0) + 1
}

function Page() {
  const [user, setUser] = useState(firstUser)
  page.setUser = setUser
  return createElement(App, { client, user, initial, flagKeys, onCommit })
}

const root = document.getElementById('root')
if (root) {
  hydrateRoot(root, createElement(Page), {
    onRecoverableError: (error) => page.mismatches.push(String(error)),
  })
}
