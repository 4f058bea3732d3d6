/** The arrows of ARCHITECTURE.md: imports point down, features meet at their interfaces, no circles. */
const server = 'packages/server/src'
const dashboard = 'packages/dashboard/src'

module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'packages-evaluation-imports-nothing',
      severity: 'error',
      from: { path: '^packages/evaluation/src' },
      to: { pathNot: '^packages/evaluation/src' },
    },
    {
      name: 'packages-contract',
      severity: 'error',
      from: { path: '^packages/contract/src' },
      to: { pathNot: '^packages/(contract|evaluation)/|^node_modules/typebox' },
    },
    {
      name: 'packages-importers',
      severity: 'error',
      from: { path: '^packages/importers/src' },
      to: { pathNot: '^packages/(importers|contract|evaluation)/|^node_modules/(yaml|smol-toml)/' },
    },
    {
      name: 'packages-mcp',
      severity: 'error',
      from: { path: '^packages/mcp/src' },
      to: { pathNot: '^packages/(mcp|contract|evaluation)/|^node_modules/(typebox|@modelcontextprotocol)/' },
    },
    {
      name: 'packages-cli',
      severity: 'error',
      from: { path: '^packages/cli/src' },
      to: { path: '^packages/(?!(cli|contract|egress|evaluation|importers|mcp)/|server/src/offline\\.ts$)' },
    },
    {
      name: 'packages-egress-imports-nothing',
      severity: 'error',
      from: { path: '^packages/egress/src' },
      to: { pathNot: '^packages/egress/src', dependencyTypesNot: ['core'] },
    },
    {
      name: 'packages-embedded-postgres',
      severity: 'error',
      from: { path: '^packages/embedded-postgres/src' },
      to: { path: '^(packages|examples|e2e|bench|scripts)/', pathNot: '^packages/embedded-postgres/' },
    },
    {
      name: 'packages-meet-at-the-door',
      severity: 'error',
      from: { path: '^packages/server/src' },
      to: { path: '^packages/embedded-postgres/src/', pathNot: '/index\\.ts$' },
    },
    {
      name: 'packages-sdk',
      severity: 'error',
      from: { path: '^packages/sdk/src', pathNot: '^packages/sdk/src/(node/|[a-z]+\\.node\\.ts$)' },
      to: { pathNot: '^packages/(sdk|evaluation)/' },
    },
    {
      name: 'packages-sdk-has-files-of-node-apart',
      severity: 'error',
      from: { path: '^packages/sdk/src/(node/|[a-z]+\\.node\\.ts$)' },
      to: { pathNot: '^packages/(sdk|evaluation|egress)/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'packages-devtools-imports-types-only',
      severity: 'error',
      from: { path: '^packages/devtools/src' },
      to: { pathNot: '^packages/devtools/src/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'packages-openfeature',
      severity: 'error',
      from: { path: '^packages/openfeature/src' },
      to: { pathNot: '^packages/(openfeature|sdk)/src/|^node_modules/(@openfeature|@opentelemetry)/' },
    },
    {
      name: 'packages-react-knows-react-and-the-types-of-the-sdk',
      severity: 'error',
      from: { path: '^packages/react/src' },
      to: {
        pathNot: '^packages/react/src/|^node_modules/(@types/)?react/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'packages-flags-sdk-imports-types-only',
      severity: 'error',
      from: { path: '^packages/flags-sdk/src' },
      to: { pathNot: '^packages/flags-sdk/src/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'kernel-is-pure',
      severity: 'error',
      from: { path: `^${server}/kernel` },
      to: {
        pathNot: `^${server}/kernel|^packages/(contract|evaluation)/|^node_modules/typebox`,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'kernel-imports-no-layer-above',
      severity: 'error',
      from: { path: `^${server}/kernel` },
      to: { path: `^${server}/(platform|changes|reports|features|stream|http|app|admin|offline|main)` },
    },
    {
      name: 'platform-imports-down',
      severity: 'error',
      from: { path: `^${server}/platform` },
      to: { path: `^${server}/(changes|reports|features|stream|http|app|admin|offline|main)` },
    },
    {
      name: 'changes-and-reports-import-down',
      severity: 'error',
      from: { path: `^${server}/(changes|reports)` },
      to: { path: `^${server}/(features|stream|http|app|admin|offline|main)` },
    },
    {
      name: 'changes-and-reports-do-not-meet',
      severity: 'error',
      from: { path: `^${server}/(changes|reports)/` },
      to: { path: `^${server}/(changes|reports)/`, pathNot: `^${server}/$1/` },
    },
    {
      name: 'features-import-down',
      severity: 'error',
      from: { path: `^${server}/features` },
      to: { path: `^${server}/(stream|http|app|admin|offline|main)` },
    },
    {
      name: 'stream-http-import-down',
      severity: 'error',
      from: { path: `^${server}/(stream|http)` },
      to: { path: `^${server}/(app|admin|offline|main)` },
    },
    {
      name: 'app-does-not-use-offline-or-admin',
      severity: 'error',
      from: { path: `^${server}/(app|main)` },
      to: { path: `^${server}/(admin|offline)` },
    },
    {
      name: 'offline-reaches-no-database',
      comment: 'The CLI bundles it.',
      severity: 'error',
      from: { path: `^${server}/offline` },
      to: { path: '^node_modules/(@fastify|fastify|kysely|pg)/', reachable: true },
    },
    {
      name: 'features-meet-at-their-interfaces',
      severity: 'error',
      from: { path: `^${server}/features/([^/]+)/` },
      to: {
        path: `^${server}/features/([^/]+)/`,
        pathNot: [`^${server}/features/$1/`, `^${server}/features/[^/]+/index\\.ts$`],
      },
    },
    {
      name: 'rules-and-stored-impacts-are-below-the-other-features',
      severity: 'error',
      from: { path: `^${server}/features/(rules|stored-impacts)/` },
      to: { path: `^${server}/features/`, pathNot: `^${server}/features/$1/` },
    },
    {
      name: 'layers-above-use-feature-interfaces',
      severity: 'error',
      from: { path: `^${server}/(http|stream|app|main)` },
      to: { path: `^${server}/features/[^/]+/`, pathNot: `^${server}/features/[^/]+/index\\.ts$` },
    },
    {
      name: 'fastify-only-in-http',
      severity: 'error',
      from: { path: `^${server}`, pathNot: `^${server}/http/` },
      to: { path: '^node_modules/(@fastify|fastify)/' },
    },
    {
      name: 'sql-only-in-queries',
      severity: 'error',
      from: {
        path: `^${server}`,
        pathNot: [`^${server}/(platform/(db|bus)|changes)/`, '[/-]queries\\.ts$'],
      },
      to: { path: '^node_modules/(kysely|pg)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'dashboard-knows-contract-and-evaluation-only',
      severity: 'error',
      from: { path: `^${dashboard}` },
      to: {
        path: '^(packages|examples|e2e|bench|scripts)/',
        pathNot: '^packages/(dashboard|contract|evaluation)/',
      },
    },
    {
      name: 'dashboard-features-import-down',
      severity: 'error',
      from: { path: `^${dashboard}/features` },
      to: { path: `^${dashboard}/(app|main)` },
    },
    {
      name: 'dashboard-features-do-not-meet',
      severity: 'error',
      from: { path: `^${dashboard}/features/([^/]+)/` },
      to: { path: `^${dashboard}/features/([^/]+)/`, pathNot: `^${dashboard}/features/$1/` },
    },
    {
      name: 'dashboard-shared-imports-no-layer-above',
      severity: 'error',
      from: { path: `^${dashboard}/shared` },
      to: { path: `^${dashboard}/(app|features|parts|main)` },
    },
    {
      name: 'dashboard-parts-import-down',
      severity: 'error',
      from: { path: `^${dashboard}/parts` },
      to: { path: `^${dashboard}/(app|features|main)` },
    },
    {
      name: 'dashboard-entry-stays-small',
      comment: 'Charts, editors and calendars are loaded with the pages that need them.',
      severity: 'error',
      from: { path: `^${dashboard}/(main|app/|parts/flag-writes/|shared/(api|scope|ui)/)` },
      to: {
        path: '^node_modules/(@codemirror|@dnd-kit|@mantine/dates|@uiw|dayjs|recharts)/',
        dependencyTypesNot: ['type-only'],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|test|node_modules/.cache)/|^packages/server/public/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['burgee-source', 'import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.json'],
    },
  },
}
