import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStage } from './harness/open-stage.ts'
import { startServer } from './harness/start-server.ts'

/**
 * The libraries beside the bundle that each start loads. One for few installations is imported when it is set
 * up.
 */
const LIBRARIES = ['@node-rs/argon2']
/** The files that each start loads: the bundle, and the library with what it loads by name. */
const FILES_MAX = 5

interface Coverage {
  readonly result: readonly { readonly url: string }[]
}

test('a start loads the server from one file, and only the libraries that every installation needs', async () => {
  const stage = openStage()
  const folder = stage.folder('coverage')
  const server = await startServer(stage, {
    dataDir: stage.folder('data'),
    // Node writes the files that it has loaded when it ends.
    env: { NODE_V8_COVERAGE: folder },
  })
  await server.stop()
  const files = readdirSync(folder).flatMap((file) => {
    const { result }: Coverage = JSON.parse(readFileSync(join(folder, file), 'utf8'))
    return result.map(({ url }) => url).filter((url) => url.startsWith('file:'))
  })
  const isLibrary = (url: string) => url.includes('/node_modules/')
  const libraries = new Set(files.filter(isLibrary).map(libraryOf))
  expect([...libraries].sort()).toEqual(LIBRARIES)
  expect(files.filter((url) => !isLibrary(url)).map((url) => url.split('/').at(-1))).toEqual(['main.js'])
  expect(files.length).toBeLessThan(FILES_MAX)
})

function libraryOf(url: string): string {
  const [scope = '', name] = url.slice(url.lastIndexOf('/node_modules/') + '/node_modules/'.length).split('/')
  return scope.startsWith('@') ? `${scope}/${name}` : scope
}
