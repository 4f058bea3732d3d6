/**
 * Loaded into the server by `npm start`: the server stops when its supervising process has ended, even by
 * SIGKILL.
 */
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
// The channel alone keeps no process alive.
process.channel?.unref()
