import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { generateManifest, generateOpenFeature, generateTypes } from '@burgee/contract'
import type { Command } from 'commander'
import { listAll } from '../api/list-all.ts'
import type { CommandContext } from '../command-context.ts'
import { EXIT } from '../exit-codes.ts'
import { cannotWrite } from '../files/file-problem.ts'

interface GenerateOptions {
  readonly out: string
  readonly strict?: boolean
  readonly check?: boolean
}

/** Adds `burgee generate`: types and a manifest of the flags. */
export function addGenerate(program: Command, context: CommandContext): void {
  program
    .command('generate')
    .description('write types and the OpenFeature manifest of the flags of the environment')
    .option('--out <folder>', 'folder of the files', '.')
    .option('--strict', 'leave out archived and expired flags, so that code that names one does not compile')
    .option('--check', 'write nothing; exit code 3 when a file is not up to date')
    .action(async (options: GenerateOptions) => {
      const { id: env_id } = await context.environment()
      const progress = context.progress('Reading flags')
      const flags = await listAll(context.api(), 'listFlags', { params: { env_id } }, (count) =>
        progress.update(count, null),
      )
      progress.end()
      const now = new Date().toISOString()
      const files = {
        'burgee.gen.ts': generateTypes(flags, { now, strict: options.strict ?? false }),
        'openfeature.gen.d.ts': generateOpenFeature(flags),
        'flags.json': `${JSON.stringify(generateManifest(flags), null, 2)}\n`,
      }
      const folder = resolve(context.io.cwd, options.out)
      const results = Object.entries(files).map(([name, text]) => ({
        file: join(options.out, name),
        changed: writeIfChanged(join(folder, name), text, options.check === true),
      }))
      const isStale = results.some(({ changed }) => changed)
      if (options.check && isStale) context.endWith(EXIT.differences)
      const outcome = options.check ? 'is not up to date' : 'written'
      const show = options.check ? context.print : context.report
      show({ flags: flags.length, files: results }, () =>
        results.map(({ changed, file }) => `${file}: ${changed ? outcome : 'up to date'}\n`).join(''),
      )
    })
}

/** Writes a file unless it has the text already. Returns whether it had another one. */
function writeIfChanged(file: string, text: string, isDry: boolean): boolean {
  try {
    // git on Windows may have turned the line ends.
    if (existsSync(file) && readFileSync(file, 'utf8').replaceAll('\r\n', '\n') === text) return false
    if (isDry) return true
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, text)
    return true
  } catch (error) {
    throw cannotWrite(file, error)
  }
}
