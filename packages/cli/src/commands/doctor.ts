import type { Command } from 'commander'
import { listAll } from '../api/list-all.ts'
import { type CommandContext, givenToken } from '../command-context.ts'
import { checkKeyKinds, checkPage } from '../doctor/check-keys.ts'
import { checkServer } from '../doctor/check-server.ts'
import { checkStored } from '../doctor/check-stored.ts'
import { checkStream } from '../doctor/check-stream.ts'
import { type Finding, findingsOf, type Level } from '../doctor/finding.ts'
import { EXIT } from '../exit-codes.ts'
import { printable } from '../output/output.ts'
import { checkToken } from '../settings/check-token.ts'

interface DoctorOptions {
  readonly sdkKey?: string
  readonly page: readonly string[]
}

const MARKS: Readonly<Record<Level, string>> = { ok: 'ok', warning: '!', problem: '!!', skipped: '-' }

/** Adds `burgee doctor`, which looks at a running server from outside. */
export function addDoctor(program: Command, context: CommandContext): void {
  program
    .command('doctor')
    .description('check a running server from here; exit code 1 when there is a problem')
    .option('--sdk-key <key>', 'an SDK key, to check streams through the proxy (BURGEE_SDK_KEY)')
    .option('--page <url...>', 'web pages to search for server keys', [])
    .action(async ({ page, sdkKey }: DoctorOptions) => {
      const url = context.url()
      const key = keyOf(context, sdkKey)
      const findings = await checkServer(url, Date.now)
      if (findings.length > 1) {
        findings.push(await checkStream(url, key))
        findings.push(await checkVersion(context, program.version() ?? ''))
        findings.push(await checkKeys(context))
        findings.push(await checkBounds(context))
        for (const each of page) findings.push(await checkPage(url, each))
      }
      context.print(findings, () => findings.map(lineOf).join(''))
      if (findings.some(({ level }) => level === 'problem')) context.endWith(EXIT.failed)
    })
}

/** Returns the SDK key of the options or the environment; a token that is one counts. */
function keyOf({ io, options }: CommandContext, sdkKey: string | undefined): string | undefined {
  const source = sdkKey === undefined ? 'BURGEE_SDK_KEY' : '--sdk-key'
  const key = checkToken(sdkKey ?? io.env.BURGEE_SDK_KEY ?? '', source)
  const token = givenToken(options(), io.env)
  return key || (token?.startsWith('sk_') ? token : undefined)
}

async function checkVersion(context: CommandContext, own: string): Promise<Finding> {
  const { ok, skipped, warning } = findingsOf('versions')
  try {
    const document = await context.api().call('getOpenApi', {})
    const info: unknown = 'info' in document ? document.info : null
    const version =
      typeof info === 'object' && info !== null && 'version' in info ? String(info.version) : 'unknown'
    if (version === own) return ok(`server and command have the version ${version}`)
    return warning(
      `the server has the version ${version}, and this command ${own}`,
      'Install the command in the version of the server.',
    )
  } catch (error) {
    return skipped(`needs a token of this server: ${error instanceof Error ? error.message : String(error)}`)
  }
}

async function checkKeys(context: CommandContext): Promise<Finding> {
  try {
    const { id: project_id } = await context.project()
    return checkKeyKinds(await listAll(context.api(), 'listSdkKeys', { params: { project_id } }))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return findingsOf('keys').skipped(`needs a token that sees the project: ${reason}`)
  }
}

async function checkBounds(context: CommandContext): Promise<Finding> {
  try {
    const { id: project_id } = await context.project()
    return checkStored(await listAll(context.api(), 'listExceededBounds', { params: { project_id } }))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return findingsOf('stored').skipped(`needs a token of an admin of the project: ${reason}`)
  }
}

const lineOf = ({ advice, check, level, text }: Finding): string =>
  printable(`${MARKS[level].padEnd(3)}${check}: ${text}\n${advice === null ? '' : `   ${advice}\n`}`)
