/**
 * Loaded before the server by `npm start`: the server begins at a message of its parent, and stops
 * when that has ended, even by SIGKILL.
 */
import { once } from 'node:events'

process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
await once(process, 'message')
// The channel alone keeps no process alive.
process.channel?.unref()
