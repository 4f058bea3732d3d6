import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))

const OPENFEATURE = `
import { OpenFeature } from '@openfeature/server-sdk'
const client = OpenFeature.getClient()
`
const PROGRAMS: readonly { readonly title: string; readonly code: string; readonly fails?: RegExp }[] = [
  {
    title: 'right',
    code: `
if (client.isEnabled('new-checkout', 'u')) console.log(client.getVariant('theme', 'u', {}, 'light'))
switch (client.getVariant('theme', 'u', {}, 'light')) { case 'light': break; case 'dark': break }
export const seats: number | null = client.getVariant('seats', 'u')`,
  },
  { title: 'a key with a typing error', code: `client.isEnabled('new-chekout', 'u')`, fails: /new-chekout/ },
  {
    title: 'a value of another type',
    code: `export const seats: string = client.getVariant('seats', 'u', {}, 5)`,
    fails: /not assignable to type 'string'/,
  },
  { title: 'an archived flag', code: `client.isEnabled('old', 'u')`, fails: /"old"/ },
  {
    title: 'a literal that is missing',
    code: `if (client.getVariant('theme', 'u', {}, 'light') === 'blue') console.log()`,
    fails: /no overlap/,
  },
  { title: 'OpenFeature', code: `${OPENFEATURE}client.getBooleanValue('new-checkout', false)` },
  {
    title: 'OpenFeature with a wrong key',
    code: `${OPENFEATURE}client.getBooleanValue('new-chekout', false)`,
    fails: /new-chekout/,
  },
  {
    title: 'OpenFeature with the key of a flag of another type',
    code: `${OPENFEATURE}client.getStringValue('seats', '')`,
    fails: /No overload/,
  },
]
export const COMPILERS = {
  'TypeScript 6': 'node_modules/typescript/bin/tsc6',
  'TypeScript 7': 'node_modules/@typescript/native/bin/tsc',
}

const HEAD = `import { createClient } from '@burgee/sdk'
import './burgee.gen.ts'

const client = createClient({ url: 'http://127.0.0.1', sdkKey: 'k' })
`
const COMPILER_OPTIONS = {
  ...{ strict: true, noEmit: true, skipLibCheck: true, types: [], target: 'es2022' },
  ...{ module: 'nodenext', lib: ['es2023', 'dom'], allowImportingTsExtensions: true },
  customConditions: ['burgee-source'],
}

/** Creates a folder with the programs, inside the workspace so that they find its packages. */
export function createPrograms(): string {
  mkdirSync(join(ROOT, 'packages/cli/dist'), { recursive: true })
  const folder = mkdtempSync(join(ROOT, 'packages/cli/dist/programs-'))
  for (const [at, { code }] of PROGRAMS.entries())
    writeFileSync(join(folder, `program-${at}.ts`), code.startsWith(OPENFEATURE) ? code : HEAD + code)
  const project = { compilerOptions: COMPILER_OPTIONS, include: ['*.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  mkdirSync(join(folder, 'node_modules'))
  for (const scope of ['@burgee', '@openfeature'])
    symlinkSync(join(ROOT, 'node_modules', scope), join(folder, 'node_modules', scope))
  return folder
}

/** Compiles the programs, and compares the errors with those that each must have. */
export function expectCompiled(compiler: keyof typeof COMPILERS, folder: string): void {
  const args = [join(ROOT, COMPILERS[compiler]), '-p', folder, '--pretty', 'false']
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  for (const [at, { fails, title }] of PROGRAMS.entries()) {
    const errors = stdout.split('\n').filter((line) => line.includes(`program-${at}.ts(`))
    if (fails === undefined) expect(errors, title).toEqual([])
    else expect(errors.join('\n'), title).toMatch(fails)
  }
  expect(stdout).not.toContain('.gen.')
}
