import type { EndpointBody, EndpointInput, EndpointName } from '@burgee/contract'
import type { Static, TSchema } from 'typebox'

interface ToolCallOptions {
  readonly ifMatch?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** The HTTP API by the names of the contract. A call that fails throws an error whose message states why. */
export interface ToolApi {
  call<N extends EndpointName>(
    name: N,
    input: EndpointInput<N>,
    options?: ToolCallOptions,
  ): Promise<EndpointBody<N>>
  /** Calls an endpoint whose response headers matter as well. */
  send<N extends EndpointName>(
    name: N,
    input: EndpointInput<N>,
    options?: ToolCallOptions,
  ): Promise<{ readonly body: EndpointBody<N>; header(name: string): string | null }>
}

/** The services of a tool. */
export interface ToolContext {
  readonly api: ToolApi
  /** The environments in which writes are possible: `project/environment` by slug, or `environment`. */
  readonly writable: readonly string[]
}

/** The result of a tool: data, which is quoted, or a text of this server. */
type ToolResult = { readonly data: unknown } | { readonly text: string }

export interface Tool<S extends TSchema = TSchema> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: S
  readonly access: 'read' | 'write' | 'destructive_write'
  run(args: Static<S>, context: ToolContext): Promise<ToolResult>
}

/** Keeps the type of a tool's arguments within its definition. They are validated before it runs. */
export const tool = <S extends TSchema>(definition: Tool<S>): Tool => definition as unknown as Tool

/** An expected failure of a tool: the agent receives its message. */
export class ToolError extends Error {}
