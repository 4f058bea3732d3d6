import { defineConfig } from 'tsdown'
import { shortNames } from './scripts/short-names.mjs'

/** The evaluation is bundled, from its sources and with its types, so the package has no dependency. */
const shared = {
  platform: 'neutral',
  target: 'es2022',
  inputOptions: { resolve: { conditionNames: ['burgee-source', 'import', 'default'] } },
  deps: { alwaysBundle: [/^@burgee\//] },
  clean: false,
} as const

const MINIFIED = {
  format: 'esm',
  dts: false,
  minify: true,
  plugins: [shortNames()],
  outExtensions: () => ({ js: '.js' }),
} as const
const SOURCES = `${import.meta.dirname}/src`
/** Without confirmations of servers: the client sends none in browsers. */
const WITHOUT_ACKS = { './stream/acks.ts': `${SOURCES}/stream/no-acks.ts` } as const
/** Pages without a build have no developer who reads warnings. */
const MINIMAL = {
  ...WITHOUT_ACKS,
  './goal-warning.ts': `${SOURCES}/no-goal-warning.ts`,
  '../goal-warning.ts': `${SOURCES}/no-goal-warning.ts`,
} as const
/** The same client with the evaluator that knows no extension, and without confirmations anywhere. */
const LIGHT = {
  alias: { '@burgee/evaluation': '@burgee/evaluation/light', ...WITHOUT_ACKS },
} as const

/** Entries beside the client import it by its name. */
const BESIDE = { deps: { alwaysBundle: ['@burgee/evaluation'], neverBundle: ['@burgee/sdk'] } } as const

export default defineConfig([
  {
    ...shared,
    entry: { index: 'src/index.ts' },
    format: ['esm', 'cjs'],
    // Without project references, so that the types of the evaluation come from its sources, too.
    dts: { tsconfig: 'tsconfig.bundle.json', eager: true },
    outExtensions: ({ format }) => ({ js: format === 'cjs' ? '.cjs' : '.js' }),
  },
  {
    ...shared,
    entry: { 'index.node': 'src/index.node.ts' },
    platform: 'node',
    format: ['esm', 'cjs'],
    dts: false,
    outExtensions: ({ format }) => ({ js: format === 'cjs' ? '.cjs' : '.js' }),
  },
  ...(['testing', 'node', 'anonymous', 'values'] as const).map((name) => ({
    ...shared,
    ...BESIDE,
    platform: name === 'node' ? ('node' as const) : ('neutral' as const),
    entry: { [name]: `src/${name}.ts` },
    format: ['esm' as const, 'cjs' as const],
    dts: { tsconfig: 'tsconfig.bundle.json', eager: true },
    outExtensions: ({ format }: { format: string }) => ({ js: format === 'cjs' ? '.cjs' : '.js' }),
  })),
  {
    ...shared,
    entry: { 'browser.min': 'src/index.ts' },
    alias: MINIMAL,
    ...MINIFIED,
  },
  {
    ...shared,
    ...BESIDE,
    entry: { 'values.min': 'src/values.ts' },
    alias: MINIMAL,
    ...MINIFIED,
  },
  {
    ...shared,
    entry: { light: 'src/index.ts' },
    ...LIGHT,
    format: ['esm', 'cjs'],
    dts: false,
    outExtensions: ({ format }) => ({ js: format === 'cjs' ? '.cjs' : '.js' }),
  },
  {
    ...shared,
    entry: { 'light.min': 'src/index.ts' },
    alias: { ...LIGHT.alias, ...MINIMAL },
    ...MINIFIED,
  },
])
