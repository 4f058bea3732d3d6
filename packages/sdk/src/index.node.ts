import { readFileSync } from 'node:fs'
import type { Client } from './client.ts'
import type { ClientOptions } from './client-options.ts'
import { createClientOn } from './create-client-on.ts'
import { environmentOverrides } from './node/environment-overrides.ts'
import { hostPlatform } from './platform.ts'

/** Creates a client like the one for browsers, with the overrides of `BURGEE_OVERRIDES` in development. */
export const createClient = (options: ClientOptions): Client =>
  createClientOn(hostPlatform(), { ...options, overrides: { ...options.overrides, ...readOverrides() } })

const readOverrides = () =>
  environmentOverrides({
    // biome-ignore lint/style/noProcessEnv: a library has no main; the variable is for developers
    env: process.env,
    readFile: (path) => readFileSync(path, 'utf8'),
    // biome-ignore lint/suspicious/noConsole: the developer reads the console
    warn: console.warn,
  })
