import { describe, expect, it } from 'vitest'
import { PATTERN_TEXTS } from '../../../src/http/responses/describe-problem.ts'
import { listPatterns } from '../../growth/list-patterns.ts'
import { findGrowth } from '../../growth/measure-growth.ts'
import { patternAttacks } from '../../growth/pattern-attacks.ts'

/** Patterns that are built at run time, by their place, with examples. */
const EXAMPLES: Readonly<Record<string, readonly RegExp[]>> = {
  "packages/contract/src/plain-text.ts new RegExp(NEEDED_FORMS.join('|'), 'gu')": [
    /(?<=[\p{Script_Extensions=Arab}\p{Script_Extensions=Deva}])[\u200c\u200d](?=[\p{Script_Extensions=Arab}\p{Script_Extensions=Deva}])|(?<=(?=\p{Mn})[\p{Script_Extensions=Arab}\p{Script_Extensions=Deva}])[\u200c\u200d]|(?<=\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]|(?<=[0-9#*])\ufe0f(?=\u20e3)|(?<=\p{Script=Han})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]|(?<=\p{Script=Mongolian})[\u180b-\u180f]/gu,
  ],
  'packages/contract/src/plain-text.ts new RegExp(`[${AT}]|(?!://)[:${COLONS}][/${SLASHES}]{2}`)': [
    /[\uff20\ufe6b]|(?!:\/\/)[:\uff1a][/\uff0f]{2}/,
  ],
  'packages/contract/src/plain-text.ts new RegExp(`[${AT}${DOTS}]`)': [/[\uff20\uff0e]/],
  'packages/contract/src/plain-text.ts new RegExp(`[${AT}${DOTS}${COLONS}${SLASHES}]`)': [
    /[\uff20\uff0e\uff1a\uff0f]/,
  ],
  "packages/contract/src/plain-text.ts new RegExp(LOOK_ALIKES['plain-name'], 'g')": [
    /[\uff20\ufe6b]|(?!:\/\/)[:\uff1a][/\uff0f]{2}/g,
  ],
  "packages/contract/src/plain-text.ts new RegExp(HIDDEN, 'gu')": [
    /[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]/gu,
  ],
  "packages/evaluation/src/matcher/parse-pattern.ts new RegExp(CHARACTER, 'uy')": [
    /\\(?:[tnvfr]|x[\da-fA-F]{2}|[\0-/:-@[-\x60{-\x7f])|[^\\]/uy,
  ],
  "packages/evaluation/src/matcher/parse-pattern.ts new RegExp(`\\\\\\\\([dDwWsS])|(${CHARACTER})(?:-(?!\\\\]|$)(${CHARACTER}|))?`, 'uy')":
    [
      /\\([dDwWsS])|(\\(?:[tnvfr]|x[\da-fA-F]{2}|[\0-/:-@[-\x60{-\x7f])|[^\\])(?:-(?!\]|$)(\\(?:[tnvfr]|x[\da-fA-F]{2}|[\0-/:-@[-\x60{-\x7f])|[^\\]|))?/uy,
    ],
  "packages/evaluation/src/matcher/parse-pattern.ts new RegExp(`[${source}]`, isFolded ? 'iu' : 'u')": [
    /[a-z\u{212a}]/iu,
    /[^\d_]/u,
  ],
  "packages/evaluation/src/versions.ts new RegExp(\n  `^v?${NUMBER}(?:\\\\.${NUMBER}(?:\\\\.${NUMBER}(?:-(${IDENTIFIER}(?:\\\\.${IDENTIFIER})*))?(?:\\\\+[\\\\da-z-]+(?:\\\\.[\\\\da-z-]+)*)?)?)?$`,\n  'i',\n)":
    [
      /^v?(0|[1-9]\d*)(?:\.(0|[1-9]\d*)(?:\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-z-][\da-z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-z-][\da-z-]*))*))?(?:\+[\da-z-]+(?:\.[\da-z-]+)*)?)?)?$/i,
    ],
  'packages/server/src/structure/preferences/preferences.ts new RegExp(KEY_PATTERN)': [/^[A-Za-z0-9_-]+$/],
  "packages/server/src/structure/projects/project-slug.ts new RegExp(`[${Object.keys(FOLDED).join('')}]`, 'g')":
    [/[\u00df\u00e6\u00f8]/g],
  "packages/server/src/http/http-server.ts new RegExp(`^${path.replaceAll('.', '\\\\.').replaceAll(/:\\w+/g, '[^/]+')}$`)":
    [/^\/api\/environments\/[^/]+\/webhooks\/[^/]+\/deliveries\/[^/]+\/redeliver$/],
  "packages/server/src/http/requests/text-keywords.ts new RegExp(pattern, 'u')": Object.keys(
    PATTERN_TEXTS,
  ).map((pattern) => new RegExp(pattern, 'u')),
  "packages/server/src/platform/log/redact-url.ts new RegExp(`(?:^|[^a-z0-9_])(?:${SECRET_PARAMETERS.join('|')})(?:\\\\[\\\\])?=`, 'i')":
    [/(?:^|[^a-z0-9_])(?:access_token|key|sdk_key|x-api-key)(?:\[\])?=/i],
}

/** Patterns whose text never comes from outside, with the reason. */
const INSIDE_ONLY: Readonly<Record<string, string>> = {
  'packages/server/src/http/responses/static-files.ts /^assets\\/(?:.+\\/)?[^/]*[-.](?=[\\w-]*[A-Z0-9_])[\\w-]{8,}\\.\\w+$/':
    'the name of a file that exists in PUBLIC_DIR',
  'packages/server/src/kernel/base-path.ts /\\/+$/': 'a setting',
  'packages/server/src/platform/settings/setting-parsers.ts /\\/+$/': 'a setting',
}

const patterns = listPatterns()
/** Global patterns replace, and are tried at every position. */
const work = (pattern: RegExp) => (text: string) =>
  pattern.flags.includes('g') ? text.replace(pattern, '') : pattern.test(text)

const ATTEMPTS = 10

describe('patterns for outside text take linear time', () => {
  it('every pattern is listed', () => {
    const unknown = patterns.filter(({ name, pattern }) => pattern === null && !(name in EXAMPLES))
    expect(unknown.map(({ name }) => name)).toEqual([])
    const names = patterns.map(({ name }) => name)
    expect(Object.keys({ ...EXAMPLES, ...INSIDE_ONLY }).filter((name) => !names.includes(name))).toEqual([])
  })

  it.each(patterns.filter(({ name }) => !(name in INSIDE_ONLY)))(
    'the pattern $name takes linear time',
    ({ name, pattern }) => {
      for (const example of pattern ? [pattern] : (EXAMPLES[name] ?? []))
        expect(findGrowth(work(example), patternAttacks(example))).toBeNull()
    },
  )

  it.each([/\beyJ[\w-]+(?:\.[\w-]*){2,4}/g, /\[.*$/, /^[a-z, ]*z[a-z, ]*$/, /(a+)b/, /\s+$/])(
    'the measurement finds that %s does not take linear time',
    (pattern) => {
      const find = () => findGrowth(work(pattern), patternAttacks(pattern))
      // One slow run of the short text on a busy machine hides the growth.
      expect(Array.from({ length: ATTEMPTS }).some(() => find() !== null)).toBe(true)
    },
  )
})
