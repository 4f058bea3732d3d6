/** The keywords of errors (RFC 7644, section 3.12), as far as Burgee uses them. */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'

/** A refusal in the terms of SCIM. The detail states what is wrong and what to do. */
export class ScimRefused extends Error {
  readonly status: number
  readonly scimType: ScimType | null

  constructor(status: number, scimType: ScimType | null, detail: string) {
    super(detail)
    this.name = 'ScimRefused'
    this.status = status
    this.scimType = scimType
  }
}

export const badRequest = (scimType: ScimType, detail: string) => new ScimRefused(400, scimType, detail)

export const notUnique = (detail: string) => new ScimRefused(409, 'uniqueness', detail)

export const noResource = (what: string, id: string) =>
  new ScimRefused(404, null, `There is no ${what} with the id ${JSON.stringify(id.slice(0, 100))}.`)

export const lastAdmin = (act: string) =>
  badRequest(
    'mutability',
    `This would ${act} the last admin of the workspace. Make another person admin in Burgee first.`,
  )

const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** Builds the body of an error. */
export const errorBody = (status: number, detail: string, scimType: ScimType | null = null) => ({
  schemas: [ERROR_SCHEMA],
  status: String(status),
  ...(scimType !== null && { scimType }),
  detail,
})
