import { createClient } from '@burgee/sdk'
import { createShop } from './create-shop.ts'

/** A web shop whose pages follow feature flags. */

const DEFAULT_PORT = 4000
const { BURGEE_SDK_KEY, BURGEE_URL = 'http://localhost:3000', HOST, PORT } = process.env

if (!BURGEE_SDK_KEY) {
  console.error('Set BURGEE_SDK_KEY to an SDK key of your Burgee server, and BURGEE_URL to its address.')
  process.exit(1)
}

const flags = createClient({ url: BURGEE_URL, sdkKey: BURGEE_SDK_KEY, sendEvaluationContext: true })
// Not waited for: until the flags are here, visitors see the shop's own defaults.
flags.connect().catch((error: Error) => console.error(`No flags yet: ${error.message}`))

const shop = createShop(flags)
shop.on('error', (error) => {
  console.error(`The shop cannot listen: ${error.message}`)
  process.exit(1)
})
const port = Number(PORT ?? DEFAULT_PORT)
shop.listen({ port, ...(HOST && { host: HOST }) }, () =>
  console.log(`The shop is open on http://localhost:${port}`),
)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    shop.close()
    shop.closeAllConnections()
    void flags.close().then(() => process.exit(0))
  })
}
