import type { Client } from '@burgee/sdk'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { App, type PageData } from './app.ts'

/** Renders the page for a user, with the values that it shows, as a server does. */
export function renderPage(client: Client, { isHydrated = true, ...data }: PageOptions): string {
  const initial = isHydrated ? client.forUser(data.user.key, data.user.attributes).dehydrate() : null
  const html = renderToString(createElement(App, { ...data, client, initial, onCommit: () => {} }))
  return `<!doctype html>
<title>Page</title>
<div id="root">${html}</div>
<script>
pageData = ${JSON.stringify({ ...data, initial }).replaceAll('<', '\\u003c')}
changes = []
new MutationObserver((records) => {
  for (const { target } of records) changes.push(target.textContent)
}).observe(document.querySelector('#root'), { childList: true, characterData: true, subtree: true })
</script>
<script type="module" src="/page.js"></script>`
}

export interface PageOptions extends Omit<PageData, 'initial'> {
  /** False for a page without the values of the server, which must flash. */
  readonly isHydrated?: boolean
}
