import { defineConfig } from 'tsdown'

/** OpenFeature, OpenTelemetry and the SDK are those of the program. */
export default defineConfig({
  entry: { server: 'src/server.ts', web: 'src/web.ts', otel: 'src/otel.ts' },
  platform: 'neutral',
  target: 'es2022',
  deps: { neverBundle: [/^@burgee\//, /^@openfeature\//, /^@opentelemetry\//] },
  clean: false,
  format: ['esm', 'cjs'],
  dts: { tsconfig: 'tsconfig.bundle.json' },
  outExtensions: ({ format }) => ({ js: format === 'cjs' ? '.cjs' : '.js' }),
})
