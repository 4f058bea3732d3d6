import { createRequire } from 'node:module'
import { defineConfig, type UserConfig } from 'tsdown'

/** Throws for a library that is not installed, also for one that is imported at its first use. */
const { resolve } = createRequire(import.meta.url)

/**
 * Libraries outside of the bundle: the hash of passwords, which is no JavaScript, parts of the database's
 * driver that are not installed, and libraries for few installations, which are imported at their first use.
 */
const OUTSIDE =
  /^(node:|(pg-native|pg-cloudflare|@node-rs\/argon2|@modelcontextprotocol\/server|@simplewebauthn\/server|ioredis|nodemailer|openid-client|prom-client)($|\/))/

/**
 * Bundles the server for `npm start`: our code and the libraries that every start loads in one file, which
 * starts faster and takes less memory than several hundred files.
 */
const server: UserConfig = {
  entry: { main: 'src/main.ts' },
  outDir: 'dist/bundle',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  dts: false,
  sourcemap: true,
  fixedExtension: false,
  // Stack traces keep the names of functions, and lines that can be shown.
  minify: {
    compress: { keepNames: { function: true, class: true } },
    mangle: { keepNames: true },
    codegen: { removeWhitespace: false },
  },
  // The licenses of what is in the bundle.
  copy: [{ from: '../../THIRD-PARTY-NOTICES.md', to: 'dist/bundle' }],
  // V8 keeps the text of the file. Comments of the sources are in the source map.
  outputOptions: { comments: { legal: true, annotation: false, jsdoc: false } },
  plugins: [
    {
      name: 'ascii',
      generateBundle(_options, bundle) {
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== 'chunk') continue
          chunk.code = toAscii(chunk.code)
          const packages = [...chunk.imports, ...chunk.dynamicImports].filter((name) => !(name in bundle))
          for (const name of packages) resolve(name)
        }
      },
    },
  ],
  inputOptions: { resolve: { conditionNames: ['burgee-source', 'node', 'default'] } },
  deps: { alwaysBundle: (id) => !OUTSIDE.test(id) },
}

/** Keeps V8 from holding the whole file with two bytes a character, as it does for one beyond Latin-1. */
const toAscii = (code: string) =>
  code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** A bundle of its own, so that the server stays one file. */
const apart = (entry: Record<string, string>): UserConfig => ({ ...server, entry, clean: false, copy: [] })

export default defineConfig([
  server,
  apart({ admin: 'src/admin.ts' }),
  apart({ healthcheck: 'src/healthcheck.ts' }),
  apart({ 'import-process': 'src/governance/import/import-process.ts' }),
])
