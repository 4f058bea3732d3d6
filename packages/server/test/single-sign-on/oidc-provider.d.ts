/** The parts of `oidc-provider`, which has no types of its own, that the tests use. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export interface Context {
    readonly path: string
    status: number
    body: unknown
    readonly query: Readonly<Record<string, string>>
    redirect(address: string): void
    readonly response: { get(name: string): string }
  }

  export class Provider {
    constructor(issuer: string, configuration: object)
    /** True to take the address from the headers of a proxy in front. */
    proxy: boolean
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    on(event: string, listener: (...args: readonly unknown[]) => void): void
  }
}
