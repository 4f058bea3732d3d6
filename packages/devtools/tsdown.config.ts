import { defineConfig } from 'tsdown'

/** The SDK is that of the program, and only its types are used. */
const shared = {
  platform: 'neutral',
  target: 'es2022',
  deps: { neverBundle: [/^@burgee\//] },
  clean: false,
  format: ['esm', 'cjs'],
  outExtensions: ({ format }: { format: string }) => ({ js: format === 'cjs' ? '.cjs' : '.js' }),
} as const

export default defineConfig([
  {
    ...shared,
    format: ['esm', 'cjs'],
    entry: { index: 'src/index.ts' },
    dts: { tsconfig: 'tsconfig.bundle.json' },
  },
  { ...shared, format: ['esm', 'cjs'], entry: { production: 'src/production.ts' }, dts: false },
  // Not published: its size is checked.
  {
    ...shared,
    format: 'esm',
    entry: { 'index.min': 'src/index.ts' },
    dts: false,
    minify: true,
    outExtensions: () => ({ js: '.js' }),
  },
])
