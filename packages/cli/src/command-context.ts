import type { Environment, Project } from '@burgee/contract'
import { type Api, createApi } from './api/create-api.ts'
import { usageError } from './command-error.ts'
import type { ExitCode } from './exit-codes.ts'
import { type Colors, colorsOf, type Io, type OutputForm, render } from './output/output.ts'
import { type Progress, startProgress } from './output/progress.ts'
import { table } from './output/table.ts'
import { findEnvironment, findProject, keyEnvironment } from './scope/find-scope.ts'
import { type DocumentNames, readScopeNames, requireAgreement, type ScopeNames } from './scope/scope-names.ts'
import { checkToken } from './settings/check-token.ts'
import { readCredentials } from './settings/credentials.ts'

/** The options that every command has. */
export interface GlobalOptions {
  readonly url?: string
  readonly token?: string
  readonly project?: string
  readonly env?: string
  readonly output: OutputForm
  readonly quiet: boolean
}

/** The environment that a command is about, with its project. */
interface CommandPlace {
  readonly project: Project
  readonly environment: Environment
}

/** The services of a command: streams, options, the API and output. */
export interface CommandContext {
  readonly io: Io
  readonly colors: Colors
  options(): GlobalOptions
  /** Returns the address of the server: --url, BURGEE_URL, or that of the login. */
  url(): string
  /** Returns the client of the server, with the token where there is one. */
  api(): Api
  /** The project and the environment that options and variables name. */
  names(): ScopeNames
  /** Returns the project of --project, or of a document of a file, which must agree. */
  project(document?: DocumentNames): Promise<Project>
  /** Returns the environment of --env in the project of --project. */
  environment(): Promise<Environment>
  /** Returns the project and the environment of the options, or of a document of a file, which must agree. */
  place(document?: DocumentNames): Promise<CommandPlace>
  /** Prints a result: the value for programs, or its text for people. */
  print(value: unknown, text: string | (() => string)): void
  /** Prints what a command did: like a result, but no text for people with --quiet. */
  report(value: unknown, text: string | (() => string)): void
  /** Returns rows as a table for people, which fits on the terminal. */
  table(heads: readonly string[], rows: readonly (readonly string[])[]): string
  /** Prints a remark on the standard error, unless --quiet is set. */
  remark(text: string): void
  progress(label: string): Progress
  /** Sets the exit code with which the process ends. */
  endWith(code: ExitCode): void
}

const DEFAULT_URL = 'http://localhost:3000'

/** Creates the context of a command line. `options` reads the parsed global options. */
export function createContext(
  io: Io,
  options: () => GlobalOptions,
  endWith: (code: ExitCode) => void,
): CommandContext {
  const url = () =>
    addressOf(options().url ?? io.env.BURGEE_URL ?? readCredentials(io.env)?.url ?? DEFAULT_URL)
  const token = () => {
    const given = givenToken(options(), io.env)
    if (given !== null) return given
    const stored = readCredentials(io.env)
    // A stored token belongs to its server: it is sent nowhere else.
    return stored !== null && addressOf(stored.url) === url()
      ? checkToken(stored.token, 'The stored token')
      : null
  }
  const api = () => createApi(url(), token())
  const names = () => readScopeNames(options(), io.env)
  const project = async (document?: DocumentNames) => {
    const found = await findProject(api(), document?.project ?? names().project?.name)
    requireAgreement('project', found, document, names())
    return found
  }
  const place = async (document?: DocumentNames) => {
    const ofProject = await project(document)
    const wanted =
      document?.environment ?? names().environment?.name ?? (await keyEnvironment(api(), token()))
    const found = await findEnvironment(api(), ofProject, wanted, document?.place)
    requireAgreement('environment', found, document, names())
    return { project: ofProject, environment: found }
  }
  const print: CommandContext['print'] = (value, text) => {
    const { output } = options()
    io.stdout.write(output === 'text' ? (typeof text === 'string' ? text : text()) : render(output, value))
  }
  return {
    io,
    colors: colorsOf(io.env, io.stdout),
    options,
    url,
    api,
    names,
    project,
    environment: async () => (await place()).environment,
    place,
    print,
    report: (value, text) => {
      const { output, quiet } = options()
      if (!(quiet && output === 'text')) print(value, text)
    },
    table: (heads, rows) => table(heads, rows, io.stdout),
    remark: (text) => {
      if (!options().quiet) io.stderr.write(`${text}\n`)
    },
    progress: (label) => startProgress(io, label, options().quiet),
    endWith,
  }
}

/** Returns the token of --token or BURGEE_TOKEN; null without one. */
export function givenToken({ token }: Pick<GlobalOptions, 'token'>, env: NodeJS.ProcessEnv): string | null {
  const source = token === undefined ? 'BURGEE_TOKEN' : '--token'
  return checkToken(token ?? env.BURGEE_TOKEN ?? '', source) || null
}

function addressOf(text: string): string {
  const address = URL.canParse(text) ? new URL(text) : null
  if (address === null || !/^https?:$/.test(address.protocol))
    throw usageError(`${text} is no address of a server. Give one such as https://flags.example.com.`)
  return `${address.origin}${address.pathname.replace(/\/+$/, '')}`
}
