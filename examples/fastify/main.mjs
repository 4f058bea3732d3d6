import { createClient } from '@burgee/sdk'
import fastify from 'fastify'

const { BURGEE_SDK_KEY: sdkKey = '', BURGEE_URL: url = 'http://localhost:3000', PORT = '4001' } = process.env

// One client for the whole program. It keeps all flags in memory, and changes arrive over its stream.
const client = createClient({ url, sdkKey })
// While the server is unavailable, the program starts with its fallbacks.
await client.connect({ timeoutMs: 5_000 }).catch((error) => console.error(`No flags yet: ${error.message}`))

const app = fastify()

// Each request has the flags of its user.
app.decorateRequest('flags', null)
app.addHook('onRequest', async (request) => {
  const { user, plan } = request.query
  request.flags = client.forUser(user, { plan })
})

app.get('/', async ({ flags }) => ({
  checkout: flags.isEnabled('new-checkout') ? 'new' : 'old',
  theme: flags.getVariant('theme', 'light'),
}))

// The reports that wait are sent at the end.
app.addHook('onClose', () => client.close())
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => app.close())

await app.listen({ port: Number(PORT), host: 'localhost' })
console.log(`Fastify listens on http://localhost:${PORT}`)
