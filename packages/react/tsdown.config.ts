import { defineConfig } from 'tsdown'

/** React and the SDK are those of the program. */
const shared = {
  entry: { index: 'src/index.ts' },
  platform: 'neutral',
  target: 'es2022',
  deps: { neverBundle: [/^@burgee\//, 'react'] },
  clean: false,
} as const

export default defineConfig([
  {
    ...shared,
    format: ['esm', 'cjs'],
    dts: { tsconfig: 'tsconfig.bundle.json' },
    outExtensions: ({ format }) => ({ js: format === 'cjs' ? '.cjs' : '.js' }),
  },
  // Not published: its size is checked.
  {
    ...shared,
    entry: { 'index.min': 'src/index.ts' },
    format: 'esm',
    dts: false,
    minify: true,
    outExtensions: () => ({ js: '.js' }),
  },
])
