import { Type } from 'typebox'

const name = Type.Optional(
  Type.String({
    description:
      'The name of the batch, `<uuid>.<number>`: the UUID of the program and a number that it uses once. A batch whose name is stored already is not stored again',
  }),
)

/** The name of a batch of reports, in a header or, for browsers, in the address. */
export const batchName = {
  headers: Type.Object({ 'X-Burgee-Batch': name }),
  query: Type.Object({ batch: name }),
} as const
