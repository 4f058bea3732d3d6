/**
 * Fails when a bundle, with the evaluation, is larger than its budget, or when a name that the build shortens
 * is not the bundle's own. Run it after the build.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { INTERNAL_NAMES } from './short-names.mjs'

/** Bytes after compression. `light` knows no extension of the evaluation, and `values` evaluates nothing. */
const BUDGETS = { 'browser.min.js': 16_590, 'light.min.js': 11_000, 'values.min.js': 4000 }

for (const [name, budget] of Object.entries(BUDGETS)) {
  const bundle = readFileSync(new URL(`../dist/${name}`, import.meta.url))
  const gzipped = gzipSync(bundle, { level: 9 }).length
  process.stdout.write(`${name}: ${bundle.length} bytes, ${gzipped} gzipped, budget ${budget}\n`)
  if (gzipped > budget) process.exitCode = 1
}

const dist = new URL('../dist/', import.meta.url)
const types = readdirSync(dist).filter((name) => /^[\w-]+\.d\.cts$/.test(name))
const withoutComments = (name) => readFileSync(new URL(name, dist), 'utf8').replace(/\/\*.*?\*\//gs, '')
const seen = new Set(types.flatMap((name) => withoutComments(name).match(/[\w$]+/g) ?? []))
const engine = Object.getOwnPropertyNames(globalThis).flatMap((name) => {
  const value = globalThis[name]
  return [Object(value), Object(value?.prototype)].flatMap((each) => Object.getOwnPropertyNames(each))
})
for (const name of INTERNAL_NAMES.filter((each) => seen.has(each) || engine.includes(each))) {
  process.stdout.write(`short-names.mjs: "${name}" is a name of the types or of the engine, too\n`)
  process.exitCode = 1
}
