// Writes vectors/*.json from the built package: `npx tsc -b packages/evaluation && node
// packages/evaluation/scripts/make-vectors.mjs`. The test test/unit/vectors.test.ts compares the files with
// an independent implementation of docs/reference/evaluation.md.
import { writeFileSync } from 'node:fs'
import { bounds } from './vectors/bounds.mjs'
import { buckets } from './vectors/buckets.mjs'
import { extensions } from './vectors/extensions.mjs'
import { flags } from './vectors/flags.mjs'
import { hashes } from './vectors/hashes.mjs'
import { operators } from './vectors/operators.mjs'
import { prerequisites } from './vectors/prerequisites.mjs'
import { segments } from './vectors/segments.mjs'
import { variants } from './vectors/variants.mjs'

/** Grows when a runner of the version before would not understand a vector. */
const VERSION = 1

const files = { bounds, buckets, extensions, flags, hashes, operators, prerequisites, segments, variants }
for (const [name, { about, vectors }] of Object.entries(files)) {
  const lines = vectors.map((vector) => `    ${JSON.stringify(vector)}`).join(',\n')
  const text = `{\n  "version": ${VERSION},\n  "about": ${JSON.stringify(about)},\n  "vectors": [\n${lines}\n  ]\n}\n`
  writeFileSync(new URL(`../vectors/${name}.json`, import.meta.url), text)
}
