import { checkOffline } from '@burgee/server/offline'
import type { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { usageError } from '../command-error.ts'
import { EXIT } from '../exit-codes.ts'
import type { ApplyDocument, Placed } from '../files/apply-file.ts'
import { explainProblems } from '../files/explain-problems.ts'
import { readApplyFiles } from '../files/read-files.ts'
import { type Colors, printable } from '../output/output.ts'
import { agreedName } from '../scope/scope-names.ts'
import type { TestedEnvironment } from '../tests/tested-environment.ts'
import { toJunit } from '../tests/to-junit.ts'

/** Adds `burgee test`: decides the invariants of files without a server, or those of a project. */
export function addTest(program: Command, context: CommandContext): void {
  program
    .command('test')
    .description('decide invariants for every possible user; exit code 1 when one does not hold')
    .option('-f, --file <file...>', 'check the invariants of these files on their flags, without a server')
    .action(async ({ file }: { readonly file?: readonly string[] }) => {
      const tested = file
        ? await testFiles(context, readApplyFiles(file, context.io.cwd))
        : await testProject(context)
      const form = context.options().output
      if (form === 'junit') context.io.stdout.write(toJunit(tested))
      else context.print(tested, () => describe(tested, context.colors))
      if (tested.some(({ checks }) => checks.some(({ verdict }) => verdict !== 'holds')))
        context.endWith(EXIT.failed)
    })
}

/** Invariants belong to a project: those of any document hold for all documents of it. */
async function testFiles(
  context: CommandContext,
  documents: readonly ApplyDocument[],
): Promise<TestedEnvironment[]> {
  const names = context.names()
  const projectOf = (document: ApplyDocument) => agreedName('project', document, names) ?? ''
  const environmentOf = (document: ApplyDocument) => agreedName('environment', document, names)
  const places = new Map<string, ApplyDocument[]>()
  for (const document of documents) {
    const id = JSON.stringify([projectOf(document), environmentOf(document) ?? null])
    places.set(id, [...(places.get(id) ?? []), document])
  }
  const tested: TestedEnvironment[] = []
  for (const [id, members] of places) {
    const [slug, environment] = JSON.parse(id) as [string, string | null]
    const ofProject = documents.filter((document) => projectOf(document) === slug)
    const slugs = ofProject.flatMap((document) => environmentOf(document) ?? [])
    const lists = {
      segments: members.flatMap(({ segments }) => segments),
      flags: members.flatMap(({ flags }) => flags),
      invariants: ofProject.flatMap(({ invariants }) => invariants),
    }
    const values = (list: readonly Placed[]) => list.map(({ value }) => value)
    const result = await checkOffline({
      segments: values(lists.segments),
      flags: values(lists.flags),
      invariants: values(lists.invariants),
      slugs: [...slugs, ...namedSlugs(lists.invariants)],
      environment: environment ?? undefined,
    })
    if ('problems' in result)
      throw usageError(
        'The files are invalid, and nothing was checked.',
        explainProblems(lists, result.problems),
      )
    const name = [slug, environment ?? ''].filter((part) => part !== '').join('/')
    tested.push({ environment: name || 'files', checks: result.checks })
  }
  return tested
}

/** The environments that invariants name: whether they exist is known only with a server. */
const namedSlugs = (invariants: readonly Placed[]): string[] =>
  invariants.flatMap(({ value }) =>
    Array.isArray(value.environments) ? value.environments.filter((one) => typeof one === 'string') : [],
  )

async function testProject(context: CommandContext): Promise<TestedEnvironment[]> {
  const project = await context.project()
  const params = { project_id: project.id }
  const all =
    context.names().environment === undefined
      ? await context.api().call('listEnvironments', { params })
      : [await context.environment()]
  const tested: TestedEnvironment[] = []
  const progress = context.progress('Checking')
  for (const [index, { id, slug }] of all.entries()) {
    progress.update(index, all.length)
    const checks = await context.api().call('checkInvariants', { params, body: { environment_id: id } })
    tested.push({ environment: `${project.slug}/${slug}`, checks })
  }
  progress.end()
  return tested
}

function describe(tested: readonly TestedEnvironment[], colors: Colors): string {
  const paint = { holds: colors.green, violated: colors.red, undecided: colors.yellow }
  const lines = tested.flatMap(({ checks, environment }) => [
    colors.bold(environment),
    ...(checks.length === 0 ? ['  no invariant covers it'] : []),
    ...checks.flatMap(({ key, verdict, why }) => [
      `  ${paint[verdict](verdict.padEnd('undecided'.length))} ${printable(key)}`,
      ...(why === undefined ? [] : [`            ${printable(why)}`]),
    ]),
  ])
  return `${lines.join('\n')}\n`
}
