import { createClient } from '@burgee/sdk'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const { BURGEE_SDK_KEY: sdkKey = '', BURGEE_URL: url = 'http://localhost:3000', PORT = '4003' } = process.env

// One client for the whole program. It keeps all flags in memory, and changes arrive over its stream.
const client = createClient({ url, sdkKey })
// While the server is unavailable, the program starts with its fallbacks.
await client.connect({ timeoutMs: 5_000 }).catch((error) => console.error(`No flags yet: ${error.message}`))

const app = new Hono()

// Each request has the flags of its user.
app.use(async (context, next) => {
  const { user, plan } = context.req.query()
  context.set('flags', client.forUser(user, { plan }))
  await next()
})

app.get('/', (context) => {
  const flags = context.get('flags')
  return context.json({
    checkout: flags.isEnabled('new-checkout') ? 'new' : 'old',
    theme: flags.getVariant('theme', 'light'),
  })
})

const server = serve({ fetch: app.fetch, port: Number(PORT), hostname: 'localhost' }, () => {
  console.log(`Hono listens on http://localhost:${PORT}`)
})

// The reports that wait are sent at the end.
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    server.close()
    server.closeAllConnections()
    void client.close()
  })
}
