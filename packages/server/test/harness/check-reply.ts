import { type Endpoint, endpoints } from '@burgee/contract'
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

/** An answer as a client has read it. */
export interface ReadAnswer {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly body: unknown
}

/** The same for answers that are encoded as they are sent, which the server itself never sees whole. */
export function createAnswerCheck(checkReply: ReturnType<typeof createReplyCheck>) {
  const routes = Object.values<Endpoint>(endpoints).map((endpoint) => ({
    endpoint,
    pattern: new RegExp(`^${endpoint.path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}(?:\\?|$)`),
  }))
  return ({ body, method, path, status }: ReadAnswer): void => {
    const route = routes.find(({ endpoint, pattern }) => endpoint.method === method && pattern.test(path))
    if (route && status < 300) checkReply(route.endpoint, status, body)
  }
}
