/**
 * Writes `openapi.json` from the built contract. Run `tsc -b packages/contract` first. A test compares the
 * file with the contract.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { endpoints, openApiDocument } from '../dist/index.js'

const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
const document = openApiDocument(endpoints, { version })
await writeFile(new URL('../openapi.json', import.meta.url), `${JSON.stringify(document, null, 2)}\n`)
