import { defineConfig } from 'tsdown'

const ENTRIES = ['server', 'web', 'otel']

/**
 * OpenFeature, OpenTelemetry and the SDK are those of the program. Each entry is a file of its own: a program
 * uses one of them, and parts that they share would be further files to publish.
 */
export default defineConfig(
  ENTRIES.map((name) => ({
    entry: { [name]: `src/${name}.ts` },
    platform: 'neutral' as const,
    target: 'es2022',
    deps: { neverBundle: [/^@burgee\//, /^@openfeature\//, /^@opentelemetry\//] },
    clean: false,
    format: ['esm' as const, 'cjs' as const],
    dts: { tsconfig: 'tsconfig.bundle.json' },
    outExtensions: ({ format }: { format: string }) => ({ js: format === 'cjs' ? '.cjs' : '.js' }),
  })),
)
