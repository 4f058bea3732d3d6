import { createClient } from '@burgee/sdk'
import { OpenFeature } from '@openfeature/server-sdk'
import { InMemoryLogRecordExporter, LoggerProvider, SimpleLogRecordProcessor } from '@opentelemetry/sdk-logs'
import { expect, it } from 'vitest'
import { createTelemetryHook, otelEvents } from '../../src/otel.ts'
import { BurgeeProvider } from '../../src/server.ts'

const FLAG = {
  ...{ key: 'theme', is_enabled: true, rollout_percentage: null, rules: [], flag_type: 'string' },
  ...{ default_value: 'dark', disabled_value: null, variants: [], prerequisites: [] },
}

function openLogs() {
  const exporter = new InMemoryLogRecordExporter()
  const provider = new LoggerProvider({ processors: [new SimpleLogRecordProcessor({ exporter })] })
  return { logger: provider.getLogger('test'), read: () => exporter.getFinishedLogRecords() }
}

it('the hook logs evaluations by the semantic conventions', async () => {
  const { logger, read } = openLogs()
  const client = createClient({ url: 'http://127.0.0.1:9', sdkKey: 'x', offline: true, bootstrap: [FLAG] })
  await OpenFeature.setProviderAndWait('telemetry', new BurgeeProvider(client, { telemetry: true }))
  const features = OpenFeature.getClient('telemetry')
  features.addHooks(createTelemetryHook({ logger, includeValue: true }) as never)
  await features.getStringValue('theme', 'light', { targetingKey: 'ada' })
  await features.getStringValue('missing', 'light')
  await OpenFeature.clearProviders()
  const [found, missing] = read()
  expect(found).toMatchObject({
    eventName: 'feature_flag.evaluation',
    attributes: {
      'feature_flag.key': 'theme',
      'feature_flag.provider.name': 'burgee',
      'feature_flag.result.variant': 'dark',
      'feature_flag.result.reason': 'static',
      'feature_flag.result.value': 'dark',
      'feature_flag.context.id': 'ada',
      'feature_flag.version': '0',
    },
  })
  expect(missing?.attributes).toMatchObject({
    'feature_flag.result.reason': 'error',
    'error.type': 'flag_not_found',
    'feature_flag.error.message': 'There is no flag missing.',
  })
})

it('the plain SDK logs the same, without values unless they are asked for', () => {
  const { logger, read } = openLogs()
  const onEvaluation = otelEvents({ logger })
  const client = createClient({
    url: 'http://127.0.0.1:9',
    sdkKey: 'x',
    offline: true,
    bootstrap: [FLAG],
    onEvaluation,
  })
  client.evaluate('theme', 'ada')
  client.evaluate('missing', null)
  const [found, missing] = read()
  expect(found?.attributes).toEqual({
    'feature_flag.key': 'theme',
    'feature_flag.provider.name': 'burgee',
    'feature_flag.result.variant': 'dark',
    'feature_flag.result.reason': 'static',
    'feature_flag.context.id': 'ada',
    'feature_flag.version': '0',
  })
  expect(missing?.attributes).toMatchObject({ 'error.type': 'flag_not_found' })
})
