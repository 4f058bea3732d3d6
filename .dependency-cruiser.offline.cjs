/** What the command bundles of the server reaches no database. Imports of types are erased, so they do not count. */
const { options } = require('./.dependency-cruiser.cjs')

module.exports = {
  forbidden: [
    {
      name: 'offline-reaches-no-database',
      severity: 'error',
      from: { path: '^packages/server/src/offline' },
      to: { path: '^node_modules/(@fastify|fastify|kysely|pg)/', reachable: true },
    },
  ],
  options: { ...options, tsPreCompilationDeps: false },
}
