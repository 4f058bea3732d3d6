import type { Endpoint } from '@burgee/contract'
import { createValidators, toProblems } from '../../src/http/validators.ts'

/** A check that throws when an answer does not match what its endpoint declares: every test is a test of the contract too. */
export function createReplyCheck(nameOf: (endpoint: Endpoint) => string) {
  const validators = createValidators()
  const compiled = new Map<string, ReturnType<typeof validators.body>>()
  return (endpoint: Endpoint, status: number, body: unknown): void => {
    const schema = endpoint.responses[status]
    const name = `${nameOf(endpoint)} ${status}`
    if (schema === undefined) throw new Error(`${name} is not declared`)
    if (schema === null) {
      if (body !== null) throw new Error(`${name} declares no body`)
      return
    }
    const validate = compiled.get(name) ?? validators.body(schema)
    compiled.set(name, validate)
    if (!validate(JSON.parse(JSON.stringify(body)))) {
      throw new Error(`${name}: ${JSON.stringify(toProblems(validate.errors ?? []))}`)
    }
  }
}
