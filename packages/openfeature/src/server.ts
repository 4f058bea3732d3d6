import type { Client, ClientOptions } from '@burgee/sdk'
import {
  ErrorCode,
  type EvaluationContext,
  FlagNotFoundError,
  type JsonValue,
  OpenFeatureEventEmitter,
  ParseError,
  type Provider,
  ProviderEvents,
  ProviderFatalError,
  type ResolutionDetails,
  type TrackingEventDetails,
  TypeMismatchError,
} from '@openfeature/server-sdk'
import { type Connection, type ConnectionOptions, createConnection } from './connection.ts'
import { type ResolveOptions, resolve } from './resolve.ts'
import { trackGoal } from './track-goal.ts'

export type BurgeeProviderOptions = ConnectionOptions & ResolveOptions

const SDK = { ErrorCode, ProviderEvents, ProviderFatalError }
const ERRORS = { FlagNotFoundError, ParseError, TypeMismatchError }

/** The provider of Burgee for servers (OpenFeature 0.9). Flags are evaluated in this process. */
export class BurgeeProvider implements Provider {
  readonly metadata = { name: 'burgee' }
  readonly runsOn = 'server'
  readonly hooks = []
  readonly events = new OpenFeatureEventEmitter()
  readonly #connection: Connection
  readonly #options: ResolveOptions & { readonly errors: typeof ERRORS }

  /** Takes a client, which stays the program's, or the options of one, which the provider closes. */
  constructor(client: Client | ClientOptions, options: BurgeeProviderOptions = {}) {
    this.#options = { ...options, errors: ERRORS }
    this.#connection = createConnection(
      client,
      { ...SDK, emit: (event, fields) => this.events.emit(event, fields) },
      options,
    )
  }

  /** @throws ProviderFatalError when the SDK key is refused, another error when the flags do not arrive. */
  async initialize(): Promise<void> {
    await this.#connection.open()
  }

  async onClose(): Promise<void> {
    await this.#connection.close()
  }

  async resolveBooleanEvaluation(
    flagKey: string,
    defaultValue: boolean,
    context: EvaluationContext,
  ): Promise<ResolutionDetails<boolean>> {
    return this.#resolve(flagKey, 'boolean', defaultValue, context)
  }

  async resolveStringEvaluation(
    flagKey: string,
    defaultValue: string,
    context: EvaluationContext,
  ): Promise<ResolutionDetails<string>> {
    return this.#resolve(flagKey, 'string', defaultValue, context)
  }

  async resolveNumberEvaluation(
    flagKey: string,
    defaultValue: number,
    context: EvaluationContext,
  ): Promise<ResolutionDetails<number>> {
    return this.#resolve(flagKey, 'number', defaultValue, context)
  }

  async resolveObjectEvaluation<Value extends JsonValue>(
    flagKey: string,
    defaultValue: Value,
    context: EvaluationContext,
  ): Promise<ResolutionDetails<Value>> {
    return this.#resolve(flagKey, 'object', defaultValue, context)
  }

  /** Reports a goal event: `value` is its value, and other details are its context. */
  track(eventKey: string, context: EvaluationContext, details: TrackingEventDetails = {}): void {
    trackGoal(this.#connection.client, { eventKey, context, details })
  }

  #resolve<Value>(
    flagKey: string,
    type: 'boolean' | 'string' | 'number' | 'object',
    defaultValue: Value,
    context: EvaluationContext,
  ): ResolutionDetails<Value> {
    const question = { flagKey, type, defaultValue, context }
    return resolve(this.#connection.client, question, this.#options)
  }
}
