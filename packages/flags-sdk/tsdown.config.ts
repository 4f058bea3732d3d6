import { defineConfig } from 'tsdown'

/** The SDK and `flags` are those of the program. */
export default defineConfig({
  entry: { index: 'src/index.ts' },
  platform: 'neutral',
  target: 'es2022',
  deps: { neverBundle: [/^@burgee\//, 'flags'] },
  clean: false,
  format: ['esm', 'cjs'],
  dts: { tsconfig: 'tsconfig.bundle.json' },
  outExtensions: ({ format }) => ({ js: format === 'cjs' ? '.cjs' : '.js' }),
})
