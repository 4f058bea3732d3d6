import { REFERENCE_REPOSITORIES_MAX, REFERENCES_SHOWN, type ReferencesInput } from '@burgee/contract'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

/** A place in code that names a flag. */
export interface StoredReference {
  readonly repo: string
  readonly commit: string
  readonly path: string
  readonly line: number
  readonly text: string
  readonly url_template: string | null
}

export interface StoredRepository {
  readonly repo: string
  readonly commit: string
  readonly branch: string
}

/** Finds a repository, and whether the project has room for another one. */
export async function findRepository(
  tx: Transaction<Database>,
  project_id: string,
  repo: string,
): Promise<{ readonly before: StoredRepository | undefined; readonly hasRoom: boolean }> {
  // One upload of a project at a time: the bound holds, and none is half replaced.
  await tx.selectFrom('projects').select('id').where('id', '=', project_id).forNoKeyUpdate().execute()
  const all = await tx
    .selectFrom('code_repositories')
    .select(['repo', 'commit', 'branch'])
    .where('project_id', '=', project_id)
    .execute()
  return {
    before: all.find((one) => one.repo === repo),
    hasRoom: all.length < REFERENCE_REPOSITORIES_MAX,
  }
}

/** Replaces the references of a repository. */
export async function replaceReferences(
  tx: Transaction<Database>,
  { now, project_id, repo }: { readonly project_id: string; readonly repo: string; readonly now: string },
  { branch, commit, references, url_template = null }: ReferencesInput,
): Promise<void> {
  await tx
    .deleteFrom('code_repositories')
    .where('project_id', '=', project_id)
    .where('repo', '=', repo)
    .execute()
  await tx
    .insertInto('code_repositories')
    .values({ project_id, repo, commit, branch, url_template, updated_at: now })
    .execute()
  const column = <T>(read: (reference: ReferencesInput['references'][number]) => T) => references.map(read)
  await sql`
    insert into code_references (project_id, repo, position, flag_key, path, line, text)
    select ${project_id}::uuid, ${repo}::text, ordinality, flag_key, path, line, text
    from unnest(${column(({ flag_key }) => flag_key)}::text[], ${column(({ path }) => path)}::text[],
      ${column(({ line }) => line)}::integer[], ${column(({ text }) => text)}::text[])
      with ordinality as given (flag_key, path, line, text, ordinality)`.execute(tx)
}

/** Lists the first places that name a flag. */
export async function listReferences(
  db: Kysely<Database>,
  project_id: string,
  flag_key: string,
): Promise<readonly StoredReference[]> {
  return db
    .selectFrom('code_references')
    .innerJoin('code_repositories', (join) =>
      join
        .onRef('code_repositories.project_id', '=', 'code_references.project_id')
        .onRef('code_repositories.repo', '=', 'code_references.repo'),
    )
    .select(['code_references.repo', 'commit', 'path', 'line', 'text', 'url_template'])
    .where('code_references.project_id', '=', project_id)
    .where('flag_key', '=', flag_key)
    .orderBy('code_references.repo')
    .orderBy('position')
    .limit(REFERENCES_SHOWN)
    .execute()
}
