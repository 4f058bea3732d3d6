import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

const COMPRESSIBLE = /\.(js|css|svg)$/
/** Smaller files fit into one packet without compression. */
const WORTH_IT_BYTES = 1_400

/** Puts a `.gz` beside each script and style, for clients that accept it (RFC 9110, section 12.5.3). */
export function gzipCopies(): Plugin {
  let folder = ''
  return {
    name: 'gzip-copies',
    apply: 'build',
    configResolved: ({ build }) => {
      folder = join(build.outDir, build.assetsDir)
    },
    closeBundle: () => {
      for (const name of readdirSync(folder).filter((each) => COMPRESSIBLE.test(each))) {
        const content = readFileSync(join(folder, name))
        if (content.length < WORTH_IT_BYTES) continue
        writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: constants.Z_BEST_COMPRESSION }))
      }
    },
  }
}
