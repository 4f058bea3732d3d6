/** Evaluates flags with the official OFREP provider of servers: reads a request from stdin, prints one JSON line for each. */
import { text } from 'node:stream/consumers'
import { OFREPProvider } from '@openfeature/ofrep-provider'
import { OpenFeature } from '@openfeature/server-sdk'
import { evaluatorsOf, print } from './evaluators.mjs'

const { evaluations, sdkKey, url } = JSON.parse(await text(process.stdin))
await OpenFeature.setProviderAndWait(new OFREPProvider({ baseUrl: url, headers: [['X-API-Key', sdkKey]] }))
const evaluators = evaluatorsOf(OpenFeature.getClient())
for (const { context, default: otherwise, key, type } of evaluations) {
  print(await evaluators[type](key, otherwise, context))
}
