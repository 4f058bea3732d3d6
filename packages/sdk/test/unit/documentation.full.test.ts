import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { examplesOf } from './support/examples.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const PAGES = [
  'packages/sdk/README.md',
  'packages/devtools/README.md',
  ...readdirSync(join(ROOT, 'docs/sdk')).map((name) => `docs/sdk/${name}`),
]

/** The surroundings of the examples: names that a reader's program has. */
const AROUND = `
declare const user: { id: string; plan: string }
declare const account: { id: string; plan: string }
declare const attributes: { plan: string }
declare const context: { waitUntil(promise: Promise<unknown>): void }
declare const url: string
declare const sdkKey: string
declare function showNewCheckout(): void
declare function render(flagKeys: readonly string[]): void
`

/** Compiles every example of the pages in one program. Returns what the compiler refuses. */
function compileExamples(): string[] {
  const files = new Map<string, string>()
  for (const page of PAGES) {
    examplesOf(readFileSync(join(ROOT, page), 'utf8')).forEach((code, at) => {
      // Later examples of a page use the client of the first ones.
      const client = /\b(const client\b|declare module)/.test(code)
        ? ''
        : "declare const client: import('@burgee/sdk').Client\n"
      const file = join(ROOT, 'packages/sdk', `${page.replaceAll('/', '-')}-${at}.ts`)
      const around = AROUND.split('\n').filter((line) => {
        const name = /(?:const|function) (\w+)/.exec(line)?.[1]
        return name !== undefined && !new RegExp(`const (${name}\\b|\\{[^}]*\\b${name}\\b)`).test(code)
      })
      const text = `${around.join('\n')}\n${client}${code}\nexport {}\n`
      files.set(file, /declare module/.test(code) ? 'export {}' : text)
    })
  }
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
    customConditions: ['burgee-source'],
    allowImportingTsExtensions: true,
  }
  const host = ts.createCompilerHost(options)
  const { readFile, fileExists, getSourceFile } = host
  host.fileExists = (file) => files.has(file) || fileExists(file)
  host.readFile = (file) => files.get(file) ?? readFile(file)
  host.getSourceFile = (file, language, ...rest) => {
    const text = files.get(file)
    return text === undefined
      ? getSourceFile(file, language, ...rest)
      : ts.createSourceFile(file, text, language)
  }
  const program = ts.createProgram([...files.keys()], options, host)
  expect(files.size).toBeGreaterThan(15)
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const line = file?.text.slice(start, file.text.indexOf('\n', start))
    return `${file?.fileName.slice(dirname(ROOT).length)}: ${line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
  })
}

it('every example of the pages about the SDK compiles', () => {
  expect(compileExamples()).toEqual([])
})
