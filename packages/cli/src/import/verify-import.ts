import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  ENGINES,
  type EngineKind,
  type ImportResult,
  type ImportSystem,
  type SourceFile,
  type Verification,
  verifyImport,
} from '@burgee/importers'
import { compileFlags } from '@burgee/server/offline'
import type { CommandContext } from '../command-context.ts'
import { CommandError, usageError } from '../command-error.ts'
import { countOf } from '../output/count-of.ts'

interface VerifyRequest {
  readonly system: ImportSystem
  readonly files: readonly SourceFile[]
  readonly environment: string | undefined
  /** An import without new names of attributes. */
  readonly imported: ImportResult
  readonly count: number
}

/** Compares the exact flags of an import with what the other service's own engine evaluates. */
export async function verifyExact(
  context: CommandContext,
  { count, environment, files, imported, system }: VerifyRequest,
): Promise<Verification> {
  const engine = engineOf(system)
  const progress = context.progress('Verifying')
  try {
    return await verifyImport({
      ...{ engine, files, imported, count, wanted: environment },
      load: (module) => loadModule(module, engine, context.io.cwd),
      compile: (environment) => {
        const problems: { path: string; message: string }[] = []
        const set = compileFlags(environment, problems)
        if (problems.length === 0) return set
        const lines = problems.map(({ message, path }) => `${path}: ${message}`)
        throw new CommandError('A server would refuse the imported flags.', undefined, lines)
      },
      onProgress: (done, total) => progress.update(done, total),
    })
  } finally {
    progress.end()
  }
}

/** Returns the engine of a service. */
export function engineOf(system: ImportSystem): EngineKind {
  const engine = ENGINES[system]
  if (engine) return engine
  const names = Object.keys(ENGINES).toSorted().join(', ')
  throw usageError(`--verify does not work for ${system}. It works for ${names}.`)
}

/** Imports a module that is installed in the folder of the command line, or beside the command. */
async function loadModule(module: string, engine: EngineKind, cwd: string): Promise<unknown> {
  const path = [pathToFileURL(join(cwd, 'package.json')).href, import.meta.url]
    .map((from) => pathOf(module, from))
    .find((found) => found !== null)
  if (!path) throw missing(engine)
  const loaded = (await import(pathToFileURL(path).href)) as { readonly default?: object }
  return { ...loaded.default, ...loaded }
}

function pathOf(module: string, from: string): string | null {
  try {
    return createRequire(from).resolve(module)
  } catch {
    return null
  }
}

const missing = ({ npmPackage, version }: EngineKind): CommandError =>
  usageError(
    `The package ${npmPackage} is not installed. Run: npm install --no-save ${npmPackage}@${version}`,
  )

/** Returns the result for people: a line for each flag that differs, with the first user. */
export function verificationText(
  { table }: Pick<CommandContext, 'table'>,
  { flags, notCompared }: Verification,
  count: number,
): string {
  const different = flags.filter(({ differences }) => differences > 0)
  const left =
    notCompared.length === 0
      ? ''
      : `Not compared: ${countOf(notCompared.length, 'exact flag')} that the engine does not evaluate, because they are archived or off, because it does not read their file, or because only flagd itself evaluates them so (javascript_differs).\n`
  const summary = `Verified ${countOf(flags.length, 'exact flag')} with ${countOf(count, 'user')}: ${different.length} differ.\n${left}`
  if (different.length === 0) return summary
  const rows = different.map(({ differences, environment, example, key }) => [
    ...[
      key,
      environment,
      String(differences),
      JSON.stringify(example?.theirs),
      JSON.stringify(example?.ours),
    ],
    JSON.stringify({ key: example?.key, ...example?.attributes }),
  ])
  return summary + table(['FLAG', 'ENVIRONMENT', 'DIFFERENCES', 'THEIRS', 'BURGEE', 'USER'], rows)
}
