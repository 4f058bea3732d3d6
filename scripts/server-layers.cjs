/** The layers of the server from the ground up: a layer imports those before it, the entries of one never meet. */
const LAYERS = [
  ['kernel'],
  ['platform'],
  ['changes'],
  ['structure'],
  ['targeting'],
  ['reporting'],
  ['identity', 'notification', 'insight', 'governance'],
  ['serving'],
  ['http'],
  ['app', 'app.ts', 'admin', 'admin.ts', 'offline', 'offline.ts'],
  ['main.ts', 'healthcheck.ts'],
]
/** The layers whose folders are rooms. */
const DOMAINS = LAYERS.slice(3, 8).flat()

module.exports = { LAYERS, DOMAINS }
