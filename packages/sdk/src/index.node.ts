import { readFileSync } from 'node:fs'
import { createProxyFetch, type ProxySettings } from '@burgee/egress'
import type { Client } from './client.ts'
import type { ClientOptions } from './client-options.ts'
import { createClientOn } from './create-client-on.ts'
import { decodeText } from './node/decode-text.ts'
import { environmentOverrides } from './node/environment-overrides.ts'
import { hostPlatform } from './platform.ts'

/**
 * Creates a client like the one for browsers, with the overrides of `BURGEE_OVERRIDES` in development. Its
 * requests go through the proxy of `HTTPS_PROXY`, unless the program gives a `fetch`.
 */
export const createClient = (options: ClientOptions): Client =>
  createClientOn(
    { ...hostPlatform(), fetch: createProxyFetch(readProxySettings()) },
    { ...options, overrides: { ...options.overrides, ...readOverrides() } },
  )

function readProxySettings(): ProxySettings {
  // biome-ignore lint/style/noProcessEnv: a library has no main; the variables are those of the machine
  const { HTTPS_PROXY, NO_PROXY, https_proxy, no_proxy } = process.env
  return { HTTPS_PROXY: HTTPS_PROXY || https_proxy, NO_PROXY: NO_PROXY || no_proxy }
}

const readOverrides = () =>
  environmentOverrides({
    // biome-ignore lint/style/noProcessEnv: a library has no main; the variable is for developers
    env: process.env,
    readFile: (path) => decodeText(readFileSync(path)),
    // biome-ignore lint/suspicious/noConsole: the developer reads the console
    warn: console.warn,
  })
