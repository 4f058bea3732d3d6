import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formatsPlugin from 'ajv-formats'
import { parse } from 'yaml'

const DOCUMENT = new URL('../../../../e2e/data/ofrep/openapi.yaml', import.meta.url)
const SINGLE = '/ofrep/v1/evaluate/flags/{key}'
const BULK = '/ofrep/v1/evaluate/flags'

/**
 * Creates a check of responses against the official OpenAPI document of OFREP 0.3, with the three corrections
 * that docs/ofrep.md names. It throws what does not fit.
 */
export function createOfficialCheck() {
  const document = corrected(parse(readFileSync(DOCUMENT, 'utf8')))
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formatsPlugin.default(ajv)
  ajv.addSchema({ $id: 'ofrep', ...document })
  return (path: string, status: number, body: unknown): void => {
    const place = path.split('?')[0] === BULK ? BULK : SINGLE
    const content = document.paths[place].post.responses[status]?.content
    // Statuses that the document does not describe have the general form.
    const ref = content?.['application/json'].schema.$ref ?? '#/components/schemas/generalErrorResponse'
    const validate = ajv.getSchema(`ofrep${ref}`)
    if (!validate) throw new Error(`there is no ${ref}`)
    if (!validate(body)) throw new Error(`${path} ${status}: ${ajv.errorsText(validate.errors)}`)
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the document is looked into freely
function corrected(document: any) {
  const { evaluationSuccess, objectFlag } = document.components.schemas
  const [fields, values] = evaluationSuccess.allOf
  fields.properties.reason.enum.push('DEFAULT')
  values.anyOf = values.oneOf
  delete values.oneOf
  objectFlag.properties.value.type = ['object', 'array']
  return document
}
