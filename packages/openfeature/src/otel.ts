import type { EvaluationEvent } from '@burgee/sdk'
import type { BaseHook, EvaluationDetails, FlagValue, HookContext } from '@openfeature/core'
import { trace } from '@opentelemetry/api'
import { type Logger, logs } from '@opentelemetry/api-logs'

export interface TelemetryOptions {
  /** Adds the values of flags to the events: they may be personal. Default false. */
  readonly includeValue?: boolean
  /** Adds an event to the active span, too. Default false. */
  readonly spanEvents?: boolean
  /** The logger of the events. Default: that of the global logger provider. */
  readonly logger?: Logger
}

/** The name of the event (OpenTelemetry semantic conventions 1.44, feature flags). */
const EVENT_NAME = 'feature_flag.evaluation'
const PROVIDER = 'burgee'

type TelemetryValue = string | number | boolean

interface Evaluated {
  readonly flagKey: string
  readonly value: unknown
  readonly variant: string | undefined
  readonly reason: string | undefined
  readonly userKey: string | null | undefined
  readonly environmentId: unknown
  readonly version: unknown
  readonly errorCode?: string | undefined
  readonly errorMessage?: string | undefined
}

/** Returns a hook of OpenFeature that logs each evaluation. */
export function createTelemetryHook(options: TelemetryOptions = {}): BaseHook {
  const emit = createEmitter(options)
  return {
    finally(context: Readonly<HookContext>, details: EvaluationDetails<FlagValue>) {
      const { errorCode, errorMessage, flagMetadata, reason, value, variant } = details
      emit({
        ...{ flagKey: context.flagKey, value, variant, reason, errorCode, errorMessage },
        userKey: context.context.targetingKey,
        environmentId: flagMetadata.flagSetId,
        version: flagMetadata.version,
      })
    },
  }
}

/** Returns a function for the option `onEvaluation` of the SDK that logs each evaluation. */
export function otelEvents(options: TelemetryOptions = {}): (event: EvaluationEvent) => void {
  const emit = createEmitter(options)
  return ({ environmentId, evaluation, flagKey, revision, userKey }) => {
    const { message, reason, value, variant } = evaluation
    const isError = reason === 'ERROR' || reason === 'FLAG_NOT_FOUND'
    emit({
      ...{ flagKey, value, variant, userKey, environmentId, version: String(revision) },
      reason: isError ? 'ERROR' : reason,
      ...(isError && { errorCode: reason === 'ERROR' ? 'PARSE_ERROR' : reason, errorMessage: message }),
    })
  }
}

function createEmitter({ includeValue = false, logger, spanEvents = false }: TelemetryOptions) {
  return (evaluated: Evaluated) => {
    const attributes = attributesOf(evaluated, includeValue)
    const target = logger ?? logs.getLogger('@burgee/openfeature')
    target.emit({ eventName: EVENT_NAME, attributes })
    if (spanEvents) trace.getActiveSpan()?.addEvent(EVENT_NAME, attributes)
  }
}

function attributesOf(evaluated: Evaluated, includeValue: boolean): Record<string, TelemetryValue> {
  const { environmentId, errorCode, errorMessage, flagKey, reason, userKey, value, variant, version } =
    evaluated
  const given: Readonly<Record<string, unknown>> = {
    'feature_flag.key': flagKey,
    'feature_flag.provider.name': PROVIDER,
    'feature_flag.result.variant': variant,
    'feature_flag.result.reason': (reason ?? 'unknown').toLowerCase(),
    'feature_flag.context.id': userKey,
    'feature_flag.set.id': environmentId,
    'feature_flag.version': version,
    'error.type': errorCode?.toLowerCase(),
    'feature_flag.error.message': errorMessage,
    ...(includeValue && {
      'feature_flag.result.value': typeof value === 'object' ? JSON.stringify(value) : value,
    }),
  }
  const isSet = (entry: [string, unknown]): entry is [string, TelemetryValue] =>
    entry[1] !== undefined && entry[1] !== null
  return Object.fromEntries(Object.entries(given).filter(isSet))
}
