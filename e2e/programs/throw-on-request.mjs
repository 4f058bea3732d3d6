/** Loaded into a server by a test: a request for this path throws an uncaught error, outside any request. */
import { Server } from 'node:http'

const emit = Server.prototype.emit
Server.prototype.emit = function emitOrThrow(event, ...args) {
  if (event === 'request' && args[0].url === '/throw') {
    setImmediate(() => {
      throw new Error('thrown for a test')
    })
  }
  if (event === 'request' && args[0].url === '/reject') void Promise.reject(new Error('rejected for a test'))
  return emit.call(this, event, ...args)
}
