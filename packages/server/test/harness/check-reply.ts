import { type Endpoint, endpoints } from '@burgee/contract'
import { toProblems } from '../../src/http/requests/validators.ts'
import { SHARED_VALIDATORS } from './shared-validators.ts'

/**
 * Creates a check that throws when a response does not match its endpoint's declaration: every test also
 * tests the contract.
 */
export function createReplyCheck(nameOf: (endpoint: Endpoint) => string) {
  return (endpoint: Endpoint, status: number, body: unknown): void => {
    const schema = endpoint.responses[status]
    const name = `${nameOf(endpoint)} ${status}`
    if (schema === undefined) throw new Error(`${name} is not declared`)
    if (schema === null) {
      if (body !== null) throw new Error(`${name} declares no body`)
      return
    }
    const validate = SHARED_VALIDATORS.body(schema)
    if (!validate(JSON.parse(JSON.stringify(body)))) {
      throw new Error(`${name}: ${JSON.stringify(toProblems(validate.errors ?? []))}`)
    }
  }
}

/** A response as a client has read it. */
export interface ReadAnswer {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly body: unknown
}

/**
 * Creates a check for responses that are encoded while they are sent, which the server never has as a whole.
 */
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
