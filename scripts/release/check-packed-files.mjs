/** Compares what `npm pack` would publish with what each package needs. Nothing is published. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CLIENTS, ROOT } from '../prepare.mjs'
import { publishedFolders } from './published-packages.mjs'

const COMPILED = /^dist\/.*\.(js|d\.ts|js\.map)$/
const ALWAYS = ['package.json', 'LICENSE', 'README.md']
/** A package of one module, in both formats and with types for both. */
const BUNDLED = {
  may: [],
  must: ['index.js', 'index.cjs', 'index.d.ts', 'index.d.cts'].map((name) => `dist/${name}`),
}
const SDK_FILES = [
  'index.js',
  'index.cjs',
  'index.d.ts',
  'index.d.cts',
  'browser.min.js',
  'light.js',
  'light.cjs',
  'light.min.js',
  'values.min.js',
  'index.node.js',
  'index.node.cjs',
  ...['anonymous', 'node', 'testing', 'values'].flatMap((name) =>
    ['js', 'cjs', 'd.ts', 'd.cts'].map((suffix) => `${name}.${suffix}`),
  ),
].map((name) => `dist/${name}`)

/** The files of each published package: those that it may have, and those that it must have. */
const PACKAGES = {
  cli: { may: [/^dist\/[\w-]+\.js$/], must: ['dist/main.js'] },
  contract: { may: [COMPILED], must: ['dist/index.js', 'dist/index.d.ts'] },
  'embedded-postgres': { may: [COMPILED], must: ['dist/index.js', 'dist/index.d.ts'] },
  evaluation: {
    may: [COMPILED, /^vectors\/\w+\.json$/],
    must: ['dist/index.js', 'dist/index.d.ts', 'vectors/operators.json'],
  },
  devtools: { may: [], must: [...BUNDLED.must, 'dist/production.js', 'dist/production.cjs'] },
  'flags-sdk': BUNDLED,
  openfeature: {
    may: [],
    must: ['server', 'web', 'otel'].flatMap((name) =>
      ['js', 'cjs', 'd.ts', 'd.cts'].map((suffix) => `dist/${name}.${suffix}`),
    ),
  },
  react: BUNDLED,
  sdk: { may: [], must: SDK_FILES },
  server: {
    may: [
      /^dist\/bundle\/[\w-]+\.js(\.map)?$/,
      /^migrations\/(\d{4}-[a-z-]+\.sql|adopted\.json)$/,
      /^public\/.*\.(js|css|html|svg|woff2|gz|br|tgz)$/,
    ],
    must: [
      'dist/bundle/main.js',
      'dist/bundle/THIRD-PARTY-NOTICES.md',
      'migrations/0001-workspace-and-users.sql',
      'migrations/adopted.json',
      'public/index.html',
      ...CLIENTS.map((name) => `public/burgee-${name}.tgz`),
      'public/burgee-checksums.txt',
    ],
  },
}
const TEXT = /\.(js|cjs|ts|cts|map|json|css|html|sql|md)$/

/** Returns problems with what would be published, one line each. */
export function checkPackedFiles() {
  return [
    ...publishedFolders()
      .filter((folder) => !(folder in PACKAGES))
      .map(
        (folder) => `packages/${folder} is published, but scripts/release/check-packed-files.mjs lacks it`,
      ),
    ...Object.entries(PACKAGES).flatMap(([folder, expected]) =>
      findProblems(folder, packedFiles(folder), expected),
    ),
  ]
}

function findProblems(folder, files, { may, must }) {
  const name = `packages/${folder}`
  const required = [...ALWAYS, ...must]
  return [
    ...required
      .filter((file) => !files.includes(file))
      .map((file) => `${name} would be published without ${file}`),
    ...files
      .filter((file) => !required.includes(file) && !may.some((pattern) => pattern.test(file)))
      .map((file) => `${name} would be published with ${file}`),
    ...files
      .filter((file) => may.includes(COMPILED) && isStale(folder, file))
      .map((file) => `${name}/${file} has no source; delete ${name}/dist and run npm run build`),
    ...files
      .filter((file) => TEXT.test(file) && readFileSync(join(ROOT, name, file), 'utf8').includes(`${ROOT}/`))
      .map((file) => `${name}/${file} contains the path of this checkout`),
  ]
}

/** Returns whether a compiled file is left from a source that was moved or deleted. */
function isStale(folder, file) {
  const source = file.replace(/^dist\//, 'src/').replace(/(\.d\.ts|\.js|\.js\.map)$/, '.ts')
  return COMPILED.test(file) && !existsSync(join(ROOT, 'packages', folder, source))
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
