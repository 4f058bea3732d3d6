import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { Access, Endpoint } from '@burgee/contract'
import type { Static, TSchema } from 'typebox'
import type { Actor, SdkKeyActor, UserActor } from '../../kernel/actor.ts'
import type { Lease } from '../../kernel/lease.ts'
import type { EnvironmentScope, ProjectScope } from '../../kernel/scope.ts'

type UserAccess = Extract<Access, 'account' | 'workspace_admin' | 'read_own_access'>
type KeyAccess = Extract<Access, 'ack' | 'evaluate' | 'open_events'>
type PublicAccess = Extract<Access, 'public' | 'setup_token' | 'metrics_token'>

/** The scope of a handler, present when the path or the query names an environment or project. */
type ScopeOf<E extends Endpoint> = E extends { readonly environmentInQuery: true }
  ? ProjectScope & { readonly environment: EnvironmentScope }
  : E['path'] extends `${string}/:env_id${string}`
    ? ProjectScope & { readonly environment: EnvironmentScope }
    : E['path'] extends `${string}/:project_id${string}`
      ? ProjectScope
      : null

type ActorOf<A extends Access> = A extends PublicAccess
  ? Actor | null
  : A extends UserAccess
    ? UserActor
    : A extends KeyAccess
      ? SdkKeyActor
      : Actor

type Parsed<S> = S extends TSchema ? Static<S> : undefined

/** The input of a handler: authenticated, looked up, authorized and validated. */
export interface EndpointRequest<E extends Endpoint = Endpoint> {
  readonly actor: ActorOf<E['access']>
  readonly scope: ScopeOf<E>
  readonly params: Parsed<E['params']>
  readonly query: Parsed<E['query']>
  readonly body: Parsed<E['body']>
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly request_id: string
  /** The address of the caller (docs/settings.md: limits per address). */
  readonly address: string
  /** The connection, for a handler that takes the socket over. */
  readonly raw: {
    readonly request: IncomingMessage
    /** The id, for a response that is written by hand. */
    readonly request_id: string
    /** Resolves when the responses to earlier requests of the connection were sent. */
    readonly waitForTurn: () => Promise<void>
    /**
     * Takes the socket for good. Null, with the connection closed, when the caller has left or has sent more
     * than this request.
     */
    readonly takeSocket: () => Socket | null
  }
}

type EndpointReply<E extends Endpoint = Endpoint> = {
  readonly [S in keyof E['responses'] & number]: {
    readonly status: S
    readonly body: E['responses'][S] extends TSchema ? Static<E['responses'][S]> : null
    readonly headers?: Readonly<Record<string, string | readonly string[]>>
  }
}[keyof E['responses'] & number]

/** A response that is already encoded; `headers` include its content type. */
export interface EncodedReply {
  readonly status: number
  /** The body. A stream is sent as it is read. */
  readonly bytes: Buffer | string | Readable
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  /** The lease of its memory, until the response was sent. */
  readonly lease?: Lease
}

/** The result of a handler that has taken the socket over and responds by itself. */
export const HIJACKED: unique symbol = Symbol('hijacked')

export type EndpointHandler<E extends Endpoint> = (
  request: EndpointRequest<E>,
) => Promise<EndpointReply<E> | EncodedReply | typeof HIJACKED>

/** The handlers of a group of endpoints: the compiler requires one for each and no others. */
export type EndpointHandlers<Group extends Readonly<Record<string, Endpoint>>> = {
  readonly [Name in keyof Group]: EndpointHandler<Group[Name]>
}
