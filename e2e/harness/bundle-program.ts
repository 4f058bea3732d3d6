import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'tsdown'
import type { Stage } from './open-stage.ts'

/** Bundles a program, by default for a page, from the sources of the packages. Returns its text. */
export async function bundleProgram(
  stage: Stage,
  entry: string,
  platform: 'browser' | 'node' = 'browser',
): Promise<string> {
  const outDir = stage.folder('program')
  await build({
    config: false,
    entry: { program: entry },
    outDir,
    format: 'esm',
    platform,
    target: 'es2022',
    dts: false,
    logLevel: 'error',
    deps: { alwaysBundle: [/./] },
    define: { 'process.env.NODE_ENV': '"development"' },
    inputOptions: { resolve: { conditionNames: ['burgee-source', 'import', 'default'] } },
    outExtensions: () => ({ js: '.js' }),
  })
  return readFile(join(outDir, 'program.js'), 'utf8')
}
