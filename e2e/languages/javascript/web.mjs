/** Evaluates flags with the official OFREP provider of browsers: reads a request from stdin, prints one JSON line for each. */
import { text } from 'node:stream/consumers'
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider'
import { OpenFeature } from '@openfeature/web-sdk'
import { evaluatorsOf, print } from './evaluators.mjs'

const { evaluations, sdkKey, url } = JSON.parse(await text(process.stdin))
const provider = new OFREPWebProvider({ baseUrl: url, headers: [['X-API-Key', sdkKey]], pollInterval: 0 })
await OpenFeature.setProviderAndWait(provider)
const evaluators = evaluatorsOf(OpenFeature.getClient())
for (const { context, default: otherwise, key, type } of evaluations) {
  await OpenFeature.setContext(context)
  print(evaluators[type](key, otherwise))
}
await OpenFeature.close()
