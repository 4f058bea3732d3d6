/** What `npm pack` would publish, without publishing it. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../prepare.mjs'

const BUILT = /^dist\/.*\.(js|cjs|d\.ts|d\.cts|map)$/
const ALWAYS = ['package.json', 'LICENSE']

/** For each published package the files that it may have, and those that it must have. */
const PACKAGES = {
  contract: { may: [BUILT], must: ['dist/index.js', 'dist/index.d.ts'] },
  evaluation: {
    may: [BUILT, /^vectors\/\w+\.json$/, /^README\.md$/],
    must: ['dist/index.js', 'README.md', 'vectors/operators.json'],
  },
  sdk: { may: [BUILT, /^README\.md$/], must: ['dist/index.js', 'README.md'] },
  server: {
    may: [BUILT, /^migrations\/\d{4}-[a-z-]+\.sql$/, /^public\/.*\.(js|css|html|svg|woff2|gz|br)$/],
    must: ['dist/bundle/main.js', 'migrations/0001-core.sql', 'public/index.html'],
  },
}
const TEXT = /\.(js|cjs|ts|cts|map|json|css|html|sql|md)$/

/** Problems with what would be published, one line each. */
export function checkPackedFiles() {
  return Object.entries(PACKAGES).flatMap(([folder, expected]) => {
    const files = packedFiles(folder)
    const name = `packages/${folder}`
    return [
      ...[...ALWAYS, ...expected.must]
        .filter((file) => !files.includes(file))
        .map((file) => `${name} would be published without ${file}`),
      ...files
        .filter((file) => !ALWAYS.includes(file) && !expected.may.some((pattern) => pattern.test(file)))
        .map((file) => `${name} would be published with ${file}`),
      ...files
        .filter(
          (file) => TEXT.test(file) && readFileSync(join(ROOT, name, file), 'utf8').includes(`${ROOT}/`),
        )
        .map((file) => `${name}/${file} contains the path of this checkout`),
    ]
  })
}

function packedFiles(folder) {
  const { status, stderr, stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--loglevel=error'], {
    cwd: join(ROOT, 'packages', folder),
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error(`npm pack failed in packages/${folder}: ${stderr}`)
  // A list in npm 10; by package from npm 11 on.
  const [packed] = Object.values(JSON.parse(stdout))
  return packed.files.map(({ path }) => path)
}
