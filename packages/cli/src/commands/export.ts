import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  APPLY_FILE_VERSION,
  type Environment,
  FlagPatch,
  InvariantPatch,
  type Project,
  SegmentPatch,
} from '@burgee/contract'
import type { Command } from 'commander'
import { stringify } from 'yaml'
import { listAll } from '../api/list-all.ts'
import { orEmpty } from '../api/or-empty.ts'
import type { CommandContext } from '../command-context.ts'
import { usageError } from '../command-error.ts'
import { cannotWrite } from '../files/file-problem.ts'

interface ExportOptions {
  readonly all?: boolean
  readonly archived?: boolean
  readonly out?: string
}

/** Adds `burgee export`: an environment as a file for `apply`. */
export function addExport(program: Command, context: CommandContext): void {
  program
    .command('export')
    .description('write the environment as a file that apply takes; applying it changes nothing')
    .option('--all', 'every environment of the project, one document each')
    .option('--archived', 'archived flags as well')
    .option('--out <file>', 'write to a file instead of the standard output')
    .action(async (options: ExportOptions) => {
      const { env } = context.options()
      if (options.all && env !== undefined)
        throw usageError(`--all exports every environment, and --env names ${env}. Leave one of them out.`)
      const project = await context.project()
      const environments = options.all
        ? await context.api().call('listEnvironments', { params: { project_id: project.id } })
        : [await context.environment()]
      const documents = []
      for (const environment of environments)
        documents.push(await exportOne(context, project, environment, options))
      const invariants = await exportInvariants(context, project, environments)
      // They belong to the project: the first document has them for all.
      if (documents[0] && invariants.length > 0) documents[0] = { ...documents[0], invariants }
      const text =
        context.options().output === 'json'
          ? `${JSON.stringify(documents.length === 1 ? documents[0] : documents, null, 2)}\n`
          : `# yaml-language-server: $schema=${context.url()}/api/schemas/apply.json\n${documents
              .map((document) => stringify(document, { lineWidth: 0, aliasDuplicateObjects: false }))
              .join('---\n')}`
      if (options.out === undefined) context.io.stdout.write(text)
      else writeText(resolve(context.io.cwd, options.out), text)
    })
}

function writeText(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw cannotWrite(file, error)
  }
}

type Fields = Readonly<Record<string, unknown>>

async function exportOne(
  context: CommandContext,
  project: Project,
  environment: Environment,
  { archived }: ExportOptions,
): Promise<Fields> {
  const api = context.api()
  const params = { env_id: environment.id }
  const progress = context.progress(`Reading ${environment.slug}`)
  const segments = await listAll(api, 'listSegments', { params })
  const query = archived ? {} : { archived: false }
  const flags = await listAll(api, 'listFlags', { params, query }, (count) => progress.update(count, null))
  progress.end()
  const names = new Set(flags.map(({ managed_by }) => managed_by ?? null))
  const [name] = names
  const isOwned = names.size === 1 && typeof name === 'string'
  return {
    apiVersion: APPLY_FILE_VERSION,
    ...(isOwned && { name }),
    project: project.slug,
    environment: environment.slug,
    segments: segments.map((segment) =>
      writable(segment, Object.keys(SegmentPatch.properties), ALWAYS.segment),
    ),
    flags: flags
      .toSorted((a, b) => (a.key < b.key ? -1 : 1))
      .map((flag) => {
        const { managed_by, ...fields } = writable(flag, Object.keys(FlagPatch.properties), ALWAYS.flag)
        return isOwned || managed_by === undefined ? fields : { ...fields, managed_by }
      }),
  }
}

/** Returns the invariants that cover one of the environments; none for a key, which cannot read them. */
async function exportInvariants(
  context: CommandContext,
  project: Project,
  environments: readonly Environment[],
): Promise<Fields[]> {
  const slugs = environments.map(({ slug }) => slug)
  const reading = context.api().call('listInvariants', { params: { project_id: project.id } })
  const invariants = await orEmpty(reading, [403, 404])
  return invariants
    .filter(({ environments: covered }) => covered === null || covered.some((slug) => slugs.includes(slug)))
    .map((invariant) => writable(invariant, Object.keys(InvariantPatch.properties), ['key', 'enforcement']))
}

/** The fields that are written also with their defaults. */
const ALWAYS = {
  segment: ['key', 'name', 'rules'],
  flag: ['key', 'flag_type', 'is_enabled', 'rollout_percentage'],
}

/** Returns the fields that a write can set, without those at their defaults. */
function writable(row: Fields, names: readonly string[], always: readonly string[]): Fields {
  const wanted = ['key', ...names.filter((name) => name !== 'key')]
  return Object.fromEntries(
    wanted
      .filter((name) => row[name] !== undefined && (always.includes(name) || !isDefault(row[name])))
      .map((name) => [name, row[name]]),
  )
}

const isDefault = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0)
