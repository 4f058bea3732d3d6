import { createServer } from 'node:http'

/**
 * Starts the receiver of the demo's webhook and chat: it accepts everything on the loopback address, and
 * refuses the first attempt of each fifth message on `/flaky`, so that the delivery log shows a failure.
 * Returns its port and a function that closes it.
 */
export async function startReceiver(wantedPort) {
  let messages = 0
  const refused = new Set()
  const server = createServer((request, response) => {
    const id = request.headers['webhook-id'] ?? ''
    request.resume()
    request.on('end', () => {
      const isFlaky = request.url === '/flaky' && !refused.has(id) && ++messages % 5 === 0
      if (isFlaky) refused.add(id)
      response.writeHead(isFlaky ? 503 : 200, { 'content-type': 'text/plain' })
      response.end(isFlaky ? 'The deploy bot is being restarted.' : 'ok')
    })
  })
  const port = await listen(server, wantedPort).catch(() => listen(server, 0))
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

function listen(server, port) {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.removeListener('error', reject)
      resolve(server.address().port)
    })
  })
}
