import { forbidden, Refusal } from '../../kernel/refusal.ts'
import type { ScopeLookups } from './resolve-scope.ts'

/**
 * Completes a refusal that names an environment with its name. The look-up runs for the few refusals that
 * need it. Where it finds nothing, or fails, the text stays without the name.
 */
export async function nameEnvironment(
  { environmentName }: Pick<ScopeLookups, 'environmentName'>,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof Refusal) || !error.extras.mention) return error
  const { describe, environment_id, project_id } = error.extras.mention
  const name = await environmentName(project_id, environment_id).catch(() => undefined)
  return name === undefined ? error : forbidden(describe(`the environment ${name}`), error.extras)
}
