/** Loaded into the server by `npm start`: the server stops when the process that supervises it is gone, even by SIGKILL. */
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
// The channel alone keeps no process alive.
process.channel?.unref()
