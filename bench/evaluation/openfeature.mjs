// Measures what OpenFeature adds to an evaluation: nanoseconds of the plain SDK, of the providers alone, and
// of OpenFeature's clients with them, beside a client with OpenFeature's own provider of values in memory.

import { BurgeeProvider } from '@burgee/openfeature/server'
import { BurgeeWebProvider } from '@burgee/openfeature/web'
import { createClient } from '@burgee/sdk'
import { InMemoryProvider, OpenFeature } from '@openfeature/server-sdk'
import { OpenFeature as WebOpenFeature } from '@openfeature/web-sdk'
import { markdownTable } from '../harness/result-table.mjs'
import { flags } from './contestants/burgee.mjs'
import { measure } from './measure.mjs'
import { users } from './scenarios.mjs'

const client = createClient({
  url: 'http://localhost',
  sdkKey: 'sk_live_bench',
  bootstrap: flags,
  offline: true,
})
const options = { domain: 'bench' }
await OpenFeature.setProviderAndWait(options.domain, new BurgeeProvider(client))
await OpenFeature.setProviderAndWait('memory', inMemory())
await WebOpenFeature.setProviderAndWait(options.domain, new BurgeeWebProvider(client))

const provider = new BurgeeProvider(client)
const webProvider = new BurgeeWebProvider(client)
const [server, memory] = [options.domain, 'memory'].map((domain) => OpenFeature.getClient(domain))
const web = WebOpenFeature.getClient(options.domain)
const [user] = users
await WebOpenFeature.setContext(options.domain, contextOf(user))

const COLUMNS = {
  'Burgee SDK': (key) => ({ ask: (each) => client.evaluate(key, each.key, each.attributes).value }),
  'server provider alone': (key) => ({
    isAsync: true,
    ask: async ({ context }) => (await provider.resolveBooleanEvaluation(key, false, context)).value,
  }),
  'web provider alone': (key) => ({
    ask: ({ context }) => webProvider.resolveBooleanEvaluation(key, false, context).value,
  }),
  'OpenFeature server SDK': (key) => ({
    isAsync: true,
    ask: ({ context }) => server.getBooleanValue(key, false, context),
  }),
  'OpenFeature web SDK': (key) => ({ ask: () => web.getBooleanValue(key, false) }),
  'OpenFeature server SDK, values in memory': () => ({
    isAsync: true,
    ask: ({ context }) => memory.getBooleanValue('boolean', false, context),
  }),
}
const ROWS = { boolean: 'Boolean flag', rules: 'Three rules of five values, hit on the third' }

const inputs = users.map((each) => ({ ...each, context: contextOf(each) }))
const rows = []
for (const [key, title] of Object.entries(ROWS)) {
  const questions = Object.values(COLUMNS).map((create) => ({ ...create(key), inputs }))
  for (const { ask } of questions)
    if ((await ask(inputs[0])) !== true) throw new Error(`a wrong response for ${key}`)
  const medians = await measure(questions)
  rows.push([title, ...medians.map((each) => `${each.toFixed(0)} ns`)])
}
console.log(markdownTable({ columns: ['Evaluation', ...Object.keys(COLUMNS)], rows }))
await OpenFeature.close()
await WebOpenFeature.close()
await client.close()

function contextOf({ attributes, key }) {
  return { targetingKey: key, ...attributes }
}

function inMemory() {
  return new InMemoryProvider({
    boolean: { variants: { on: true, off: false }, defaultVariant: 'on', disabled: false },
  })
}
