/**
 * Loaded before the server by `npm start`: the server begins when its supervising process states so, and stops
 * when that has ended, even by SIGKILL.
 */
import { once } from 'node:events'

process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
await once(process, 'message')
// The channel alone keeps no process alive.
process.channel?.unref()
