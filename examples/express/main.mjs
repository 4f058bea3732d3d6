import { createClient } from '@burgee/sdk'
import express from 'express'

const { BURGEE_SDK_KEY: sdkKey = '', BURGEE_URL: url = 'http://localhost:3000', PORT = '4002' } = process.env

// One client for the whole program. It keeps all flags in memory, and changes arrive over its stream.
const client = createClient({ url, sdkKey })
// While the server is unavailable, the program starts with its fallbacks.
await client.connect({ timeoutMs: 5_000 }).catch((error) => console.error(`No flags yet: ${error.message}`))

const app = express()

// Each request has the flags of its user.
app.use((request, _response, next) => {
  const { user, plan } = request.query
  request.flags = client.forUser(user, { plan })
  next()
})

app.get('/', ({ flags }, response) => {
  response.json({
    checkout: flags.isEnabled('new-checkout') ? 'new' : 'old',
    theme: flags.getVariant('theme', 'light'),
  })
})

const server = app.listen(Number(PORT), 'localhost', () => {
  console.log(`Express listens on http://localhost:${PORT}`)
})

// The reports that wait are sent at the end.
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    server.close()
    server.closeAllConnections()
    void client.close()
  })
}
