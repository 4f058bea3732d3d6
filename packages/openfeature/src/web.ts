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
} from '@openfeature/web-sdk'
import { type Connection, type ConnectionOptions, createConnection } from './connection.ts'
import { type ResolveOptions, resolve } from './resolve.ts'
import { trackGoal } from './track-goal.ts'

export type BurgeeWebProviderOptions = ConnectionOptions & ResolveOptions

const SDK = { ErrorCode, ProviderEvents, ProviderFatalError }
const ERRORS = { FlagNotFoundError, ParseError, TypeMismatchError }

/** The provider of Burgee for browsers (OpenFeature 0.9). Flags are evaluated in the page. */
export class BurgeeWebProvider implements Provider {
  readonly metadata = { name: 'burgee' }
  readonly runsOn = 'client'
  readonly hooks = []
  readonly events = new OpenFeatureEventEmitter()
  readonly #connection: Connection
  readonly #options: ResolveOptions & { readonly errors: typeof ERRORS }

  /** Takes a client, which stays the program's, or the options of one, which the provider closes. */
  constructor(client: Client | ClientOptions, options: BurgeeWebProviderOptions = {}) {
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

  resolveBooleanEvaluation(
    flagKey: string,
    defaultValue: boolean,
    context: EvaluationContext,
  ): ResolutionDetails<boolean> {
    return this.#resolve(flagKey, 'boolean', defaultValue, context)
  }

  resolveStringEvaluation(
    flagKey: string,
    defaultValue: string,
    context: EvaluationContext,
  ): ResolutionDetails<string> {
    return this.#resolve(flagKey, 'string', defaultValue, context)
  }

  resolveNumberEvaluation(
    flagKey: string,
    defaultValue: number,
    context: EvaluationContext,
  ): ResolutionDetails<number> {
    return this.#resolve(flagKey, 'number', defaultValue, context)
  }

  resolveObjectEvaluation<Value extends JsonValue>(
    flagKey: string,
    defaultValue: Value,
    context: EvaluationContext,
  ): ResolutionDetails<Value> {
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
