import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'

const SCHEMA = new URL('../data/openfeature-cli/flag-manifest.schema.json', import.meta.url)

/** Returns what is wrong with a manifest by the official schema of the OpenFeature command line. */
export function validateManifest(manifest: unknown): string[] {
  const { $id: _, ...schema } = JSON.parse(readFileSync(SCHEMA, 'utf8'))
  const ajv = new Ajv({ strict: false, allErrors: true })
  const validate = ajv.compile(schema)
  return validate(manifest) ? [] : [ajv.errorsText(validate.errors)]
}
