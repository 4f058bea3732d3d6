import type { Client, UserFlags } from '@burgee/sdk'
import { createPanel } from './panel.ts'
import { createStoredOverrides, type Overrides } from './stored-overrides.ts'

export interface DevtoolsOptions {
  /** The user whose results are shown. Default: an anonymous one without attributes. */
  readonly user?: UserFlags
  /** The name of the item in `localStorage`. Default `burgee-overrides`. */
  readonly storageKey?: string
}

export interface Devtools {
  /** Removes the panel and releases the forced values. They are stored for the next time. */
  close(): void
}

/**
 * Puts a button into the page that opens the panel; Alt+Shift+B does, too. Values that were forced in this
 * browser before apply at once.
 */
export function mountDevtools(client: Client, options: DevtoolsOptions = {}): Devtools {
  const { user, storageKey = 'burgee-overrides' } = options
  const stored = createStoredOverrides(() => localStorage, storageKey)
  const flags = user ?? client.forUser(null)
  const controller = new AbortController()
  const { signal } = controller
  let overrides: Overrides = stored.read()
  let isStored = true

  const panel = createPanel({
    force(flagKey, value) {
      const { [flagKey]: _released, ...others } = overrides
      change(value === undefined ? others : { ...others, [flagKey]: value })
    },
    reset: () => change({}),
    content: () => ({
      results: flags.inspect(),
      forcedKeys: new Set(Object.keys(overrides)),
      status: describeStatus(client),
      isStored,
    }),
  })

  function change(next: Overrides): void {
    isStored = stored.write(next)
    apply(next)
  }

  function apply(next: Overrides): void {
    overrides = next
    client.setOverrides(next)
    panel.update()
  }

  const stops = [
    flags.on('update', panel.update),
    ...(['ready', 'update', 'stale', 'error'] as const).map((event) => client.on(event, panel.update)),
  ]
  // Another tab of this browser has changed the values.
  addEventListener(
    'storage',
    ({ key }) => {
      if (key === storageKey || key === null) apply(stored.read())
    },
    { signal },
  )
  addEventListener(
    'keydown',
    ({ altKey, shiftKey, code }) => {
      if (altKey && shiftKey && code === 'KeyB') panel.toggle()
    },
    { signal },
  )
  if (Object.keys(overrides).length > 0) apply(overrides)
  document.body.append(panel.host)

  return {
    close() {
      controller.abort()
      for (const stop of stops) stop()
      panel.host.remove()
      client.setOverrides({})
    },
  }
}

function describeStatus({ status: { state, flagCount, revision, lastError } }: Client): string {
  const flags = `${flagCount} ${flagCount === 1 ? 'flag' : 'flags'}, revision ${revision}`
  return lastError
    ? `${flags}. Connection: ${state} (${lastError.message})`
    : `${flags}. Connection: ${state}`
}
