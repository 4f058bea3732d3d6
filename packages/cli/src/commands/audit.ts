import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { Command } from 'commander'
import { readAnchors } from '../audit/read-anchors.ts'
import { type VerifiedChain, verifyExport } from '../audit/verify-export.ts'
import type { CommandContext } from '../command-context.ts'
import { CommandError } from '../command-error.ts'
import { cannotRead } from '../files/file-problem.ts'

interface VerifyOptions {
  readonly anchors?: string
  readonly partial?: boolean
}

/** Adds `burgee audit verify`: the hashes of the audit log, computed outside of the server. */
export function addAudit(program: Command, context: CommandContext): void {
  const audit = program.command('audit').description('verify the audit log')
  audit
    .command('verify')
    .description("compute the hashes of the audit log here, of the server's or of an export")
    .argument('[export]', 'a file of the export of the workspace (NDJSON); none to read it from the server')
    .option('--anchors <file>', 'places that were kept elsewhere: heads, log lines or webhooks, as JSON')
    .option('--partial', 'the export has filters, so entries and its line of heads may be missing')
    .action(async (file: string | undefined, options: VerifyOptions) => {
      const anchors = options.anchors === undefined ? [] : readAnchors(context.io.cwd, options.anchors)
      const input =
        file === undefined ? await download(context) : await openExport(resolve(context.io.cwd, file))
      const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })
      const chains = await verifyExport(lines, anchors, !options.partial)
      context.print(chains, () => context.table(['CHAIN', 'ENTRIES', 'RESULT'], chains.map(toRow)))
      const wrong = chains.filter(({ ok }) => !ok).length
      if (wrong > 0) throw new CommandError(`${wrong} of ${chains.length} chains do not verify.`)
    })
}

const toRow = ({ chain, entries, first_bad }: VerifiedChain): string[] => [
  chain,
  String(entries),
  first_bad ? `${first_bad.problem} at entry ${first_bad.seq}` : 'ok',
]

async function openExport(path: string): Promise<Readable> {
  try {
    const file = await open(path)
    if ((await file.stat()).isDirectory()) throw new Error('it is a folder')
    return file.createReadStream()
  } catch (error) {
    throw cannotRead(path, error)
  }
}

async function download(context: CommandContext): Promise<Readable> {
  const response = await context.api().stream('/api/audit', 'application/x-ndjson')
  // The web's type of a stream and Node's describe the same object.
  return Readable.fromWeb(response as ReadableStream)
}
