/** The arrows of ARCHITECTURE.md: imports point down, features meet at their interfaces, no circles. */
const { DOMAINS: domains, LAYERS: layers } = require('./scripts/server-layers.cjs')

const server = 'packages/server/src'
const dashboard = 'packages/dashboard/src'

/** What reports of every kind pass, below the rooms of its domain: it has no interface of its own. */
const INGEST = `^${server}/reporting/ingest/`
const DOMAINS = domains.join('|')
/** The layers, as parts of regular expressions. */
const LAYERS = layers.map((layer) => layer.map((entry) => entry.replace('.', '\\.')))

const serverLayers = LAYERS.flatMap((layer, at) =>
  layer.map((entry) => {
    const siblings = at > 2 && layer.length > 1 && at < 8 ? layer.filter((other) => other !== entry) : []
    const above = [...LAYERS.slice(at + 1).flat(), ...siblings]
    return {
      name: `${entry.replace('\\', '')}-imports-down`,
      severity: 'error',
      from: { path: `^${server}/${entry}(/|$)` },
      to: { path: `^${server}/(${above.join('|')})(/|$)` },
    }
  }),
).filter(({ to }) => !to.path.includes('/()'))

/** The files of evaluation that the analysis needs beside its index: not public, so no entry of the package. */
const ANALYSIS_READS = [
  'assert-valid',
  'compile-any-condition',
  'compile-flag',
  'create-flag-set',
  'extension/division',
  'extension/evaluator-attributes',
  'flag-set',
  'hashes/position',
  'matcher/parse-pattern',
  'matcher/state',
  'operators',
  'read-value',
]

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
      name: 'packages-analysis-reads-listed-files-of-evaluation',
      severity: 'error',
      from: { path: '^packages/analysis/src' },
      to: { pathNot: `^packages/(analysis/src/|evaluation/src/(index|${ANALYSIS_READS.join('|')})\\.ts$)` },
    },
    {
      name: 'only-server-uses-analysis',
      severity: 'error',
      from: { path: '^packages/(?!(analysis|server)/)' },
      to: { path: '^packages/analysis' },
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
      to: { pathNot: '^packages/(importers|contract|evaluation)/|^node_modules/(js-yaml|smol-toml)/' },
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
      to: {
        pathNot:
          '^packages/(openfeature|sdk)/src/|/node_modules/@opentelemetry/|^node_modules/(@openfeature|@opentelemetry)/',
      },
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
    ...serverLayers,
    {
      name: 'app-does-not-use-offline-or-admin',
      severity: 'error',
      from: { path: `^${server}/(app|main)` },
      to: { path: `^${server}/(admin|offline)` },
    },
    {
      name: 'every-entry-of-the-server-is-in-a-layer',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: `^${server}/`, pathNot: `^${server}/(${LAYERS.flat().join('|')})(/|$)` },
    },
    {
      name: 'rooms-meet-at-their-interfaces',
      comment: 'What is loaded only where it is set up is imported by its file.',
      severity: 'error',
      from: { path: `^${server}/(${DOMAINS})/([^/]+)/` },
      to: {
        dynamic: false,
        path: `^${server}/(${DOMAINS})/[^/]+/`,
        pathNot: [`^${server}/$1/$2/`, '/index\\.ts$', INGEST],
      },
    },
    {
      name: 'files-outside-use-the-interfaces-of-rooms',
      comment: 'Offline takes single files, because an interface reaches the database.',
      severity: 'error',
      from: { path: `^${server}/`, pathNot: [`^${server}/(${DOMAINS})/[^/]+/`, `^${server}/offline/`] },
      to: { path: `^${server}/(${DOMAINS})/[^/]+/`, pathNot: ['/index\\.ts$', INGEST] },
    },
    {
      name: 'domains-are-composed-in-app-only',
      severity: 'error',
      from: { path: `^${server}/`, pathNot: `^${server}/app(/|\\.ts$)` },
      to: { path: `^${server}/(${DOMAINS})/compose\\.ts$` },
    },
    {
      name: 'a-domain-has-rooms-and-its-composition',
      severity: 'error',
      from: {},
      to: { path: `^${server}/(${DOMAINS})/[^/]+$`, pathNot: '/compose\\.ts$' },
    },
    {
      name: 'rules-and-stored-impacts-are-below-the-other-rooms-of-targeting',
      severity: 'error',
      from: { path: `^${server}/targeting/(rules|stored-impacts)/` },
      to: { path: `^${server}/targeting/`, pathNot: `^${server}/targeting/$1/` },
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
    exclude: {
      path: '^packages/[^/]+/(dist|test)/|^examples/.*/dist/|(^|/)node_modules/.cache/|^packages/server/public/',
    },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['burgee-source', 'import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.json'],
    },
  },
}
