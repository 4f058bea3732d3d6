import type { TestServer } from '../harness/start-test-server.ts'

/** Creates a key of the environment, as a bearer. */
export async function createKey(
  server: TestServer,
  environment_id: string,
  kind: 'client' | 'server',
): Promise<{ bearer: string }> {
  const path = `/api/projects/${server.project.id}/keys`
  const { body } = await server.call({ path, body: { name: kind, environment_id, kind } })
  return { bearer: body.key }
}
