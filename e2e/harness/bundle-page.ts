import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'tsdown'
import type { Stage } from './open-stage.ts'

/** Bundles a program for a page, from the sources of the packages. Returns its text. */
export async function bundlePage(stage: Stage, entry: string): Promise<string> {
  const outDir = stage.folder('page')
  await build({
    config: false,
    entry: { page: entry },
    outDir,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    dts: false,
    logLevel: 'error',
    deps: { alwaysBundle: [/./] },
    define: { 'process.env.NODE_ENV': '"development"' },
    inputOptions: { resolve: { conditionNames: ['burgee-source', 'import', 'default'] } },
    outExtensions: () => ({ js: '.js' }),
  })
  return readFile(join(outDir, 'page.js'), 'utf8')
}
