/**
 * A process that evaluates with the package `@burgee/evaluation` of a checkout, and measures the scenario
 * that each message of its parent names.
 */
import { createContestant } from './contestants/burgee.mjs'
import { measure } from './measure.mjs'
import { scenarios } from './scenarios.mjs'
import { verify } from './verify.mjs'

const contestant = await createContestant(process.argv[2])
process.on('message', async (name) => {
  const scenario = scenarios.find((each) => each.name === name)
  const [nanoseconds] = await measure([await verify(contestant, scenario)])
  process.send(nanoseconds)
})
process.on('disconnect', () => process.exit(0))
