import { AckInput, unknownFlagEndpoints } from '@burgee/contract'
import { invalid } from '../../kernel/refusal.ts'
import { createValidators, toProblems } from '../requests/validators.ts'
import { parseReport } from './parse-report.ts'

/**
 * Creates the function that parses and validates an acknowledgment, with the refusals of the ordinary path.
 */
export function createParseAck(): (bytes: Buffer) => Promise<AckInput> {
  const fits = createValidators().body(AckInput)
  return async (bytes) => {
    const body = await parseReport(unknownFlagEndpoints.acknowledge, bytes)
    if (!isAck(body)) throw invalid(toProblems(fits.errors ?? []))
    return body
  }

  function isAck(body: unknown): body is AckInput {
    return fits(body)
  }
}
