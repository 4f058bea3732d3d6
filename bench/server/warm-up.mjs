import { openHttpConnection, patchBytes } from '../harness/http-connection.mjs'
import { flagKey } from '../harness/installation.mjs'

/**
 * Sends `count` changes as fast as possible, in one lane for each environment: a server that has just started
 * still interprets its code, and a bench of some seconds would measure that.
 */
export async function warmUp({ port }, environments, count) {
  let written = 0
  const lane = async (environment) => {
    const connection = await openHttpConnection(port)
    while (written++ < count) {
      const { status, body } = await connection.send(
        patchBytes(environment, flagKey(1), { rollout_percentage: written % 100 }),
      )
      if (status !== 200) throw new Error(`PATCH returned ${status}: ${body}`)
    }
    connection.close()
  }
  await Promise.all(environments.map(lane))
}
