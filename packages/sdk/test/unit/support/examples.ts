import ts from 'typescript'

/** Returns the TypeScript examples of a page in Markdown. */
export const examplesOf = (page: string): string[] =>
  [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code)

/**
 * Runs an example.
 * @param modules The modules that it may import, by name.
 * @param globals Its other surroundings.
 */
export async function runExample(
  example: string,
  modules: Readonly<Record<string, object>>,
  globals: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { outputText } = ts.transpileModule(example, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  })
  const code = outputText.replace(/import (\{.*?\}) from ('.*?');?/g, 'const $1 = modules[$2];')
  const AsyncFunction = (async () => {}).constructor as new (
    ...texts: string[]
  ) => (...values: unknown[]) => Promise<void>
  await new AsyncFunction('modules', ...Object.keys(globals), code)(modules, ...Object.values(globals))
}
