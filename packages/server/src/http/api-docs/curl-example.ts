import type { Operation } from '@burgee/contract'

export interface DocumentedOperation {
  readonly path: string
  /** The method in lower case. */
  readonly method: string
  readonly operation: Operation
}

/** The bearer tokens to show, by security scheme, the most likely first. */
const BEARERS = [
  ['access_token', '$BURGEE_TOKEN'],
  ['sdk_key', '$SDK_KEY'],
  ['setup_token', '$SETUP_TOKEN'],
] as const

/** Formats a command line that calls the operation. The reader sets `$BURGEE_URL` and the credentials. */
export function curlExample({ method, operation, path }: DocumentedOperation): string {
  const accepted = new Set(operation.security.flatMap((scheme) => Object.keys(scheme)))
  const bearer = BEARERS.find(([scheme]) => accepted.has(scheme))?.[1]
  const body = operation.requestBody?.content['application/json']
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`)
  return [
    `curl ${flags(method, operation)}"$BURGEE_URL${url}"`,
    ...(bearer === undefined ? [] : [`-H "Authorization: Bearer ${bearer}"`]),
    ...(body
      ? ["-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(body.example ?? {}))}`]
      : []),
  ].join(' \\\n  ')
}

function flags(method: string, { requestBody, responses }: Operation): string {
  const streams =
    responses['200'] &&
    'content' in responses['200'] &&
    'text/event-stream' in (responses['200'].content ?? {})
  const implied = requestBody ? 'post' : 'get'
  return (streams ? '-N ' : '') + (method === implied ? '' : `-X ${method.toUpperCase()} `)
}

/** Quotes a text as one word of a POSIX shell. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
