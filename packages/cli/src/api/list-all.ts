import type { EndpointBody, EndpointInput, EndpointName } from '@burgee/contract'
import { CommandError } from '../command-error.ts'
import type { Api } from './create-api.ts'

const PAGE = 200
/** More rows are refused, so that a wrong server cannot fill the memory. */
const ROWS_MAX = 100_000

/** Reads a list to its end, page by page. `onPage` gets the number of rows so far, and the page's headers. */
export async function listAll<N extends EndpointName>(
  api: Api,
  name: N,
  input: EndpointInput<N>,
  onPage: (rows: number, headers: Headers) => void = () => undefined,
): Promise<EndpointBody<N>> {
  const rows: unknown[] = []
  let cursor: string | undefined
  do {
    const query = {
      ...(input as { readonly query?: unknown } as { readonly query?: object }).query,
      limit: PAGE,
      ...(cursor && { cursor }),
    }
    const reply = await api.send(name, { ...input, query })
    rows.push(...(reply.body as unknown[]))
    if (rows.length > ROWS_MAX) throw new CommandError(`The list has more than ${ROWS_MAX} rows.`)
    onPage(rows.length, reply.headers)
    cursor = reply.headers.get('x-next-cursor') ?? undefined
  } while (cursor !== undefined)
  return rows as EndpointBody<N>
}
