import { naughtySyntax } from './naughty-syntax.ts'

/**
 * Texts that break pages which are careless with them: markup that would run, syntax of other languages, and
 * writing that is hard to lay out. NUL and halves of surrogate pairs are left out, since the API refuses
 * them. Each is as good as any other: they come by family.
 */
export const NAUGHTY_STRINGS: readonly string[] = [
  ...new Set([
    ...naughtySyntax(),
    ...invisible(),
    ...directions(),
    ...pictures(),
    ...alphabets(),
    ...lengths(),
  ]),
]

function invisible(): string[] {
  const range = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index))
  const controls = [...range(0x01, 0x1f), ...range(0x7f, 0x9f)].map((control) => `a${control}b`)
  const spaces = [
    0xa0, 0x1680, 0x2003, 0x2009, 0x200b, 0x200c, 0x200d, 0x2028, 0x2029, 0x202f, 0x2060, 0x3000, 0xfeff,
  ]
  const marks = [0xad, 0x34f, 0x61c, 0x180e, 0xfff9, 0xfffc, 0xfffd, 0xfffe, 0xffff, 0xe0041, 0x10ffff]
  return [
    ...controls,
    ...[...spaces, ...marks].map((code) => `x${String.fromCodePoint(code)}y`),
    ' ',
    '  leading and trailing  ',
    '\u200b',
    '\u3164',
  ]
}

function directions(): string[] {
  const controls = [0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069]
  return [
    ...controls.map((code) => `flag ${String.fromCodePoint(code)}gpj.exe`),
    'שלום עולם',
    'مرحبا بالعالم',
    'فارسی و English با هم',
    '(א) [ב] {ג}',
    'עברית <script>alert(1)</script> עברית',
    '‏‏‏!',
  ]
}

function pictures(): string[] {
  const marks = ['\u0300', '\u0323', '\u0489', '\u20dd', '\u0336', '\u035b']
  const piled = ['flag', 'off', 'z'].flatMap((word) => [
    [...word].map((letter) => letter + marks.join('').repeat(8)).join(''),
    word + (marks[0] ?? '').repeat(200),
  ])
  return [
    ...piled,
    '🏴‍☠️',
    '👩‍👩‍👧‍👦',
    '👋🏿👋🏻',
    '🇳🇴🇸🇪🇩🇰',
    '1️⃣0️⃣',
    '❤️‍🔥',
    '🧑🏽‍🚀'.repeat(40),
    '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    '☃︎ ☃️',
    '𝕭𝖚𝖗𝖌𝖊𝖊',
    '𐍈𐎀𓀀',
    'ﷺ',
    '꧅꧅꧅',
    '⸻⸻⸻',
    'ﬁ ﬂ Ǆ ŉ',
    'İıßſ',
    'ｆｕｌｌ ｗｉｄｔｈ',
    '¯\\_(ツ)_/¯',
    '(╯°□°）╯︵ ┻━┻',
    '░▒▓█',
  ]
}

function alphabets(): string[] {
  return [
    '开关旗帜',
    '開關旗幟',
    'スイッチを入れる',
    '깃발을 올리다',
    'Флаг включён',
    'Σημαία ναυτική',
    'ธงเรือ',
    'झंडा फहराओ',
    'কুলের পতাকা',
    'கொடி ஏற்று',
    'დროშა',
    'դրոշ',
    'ሰንደቅ',
    'ᚠᛚᚨᚷ',
    'ꦧꦤ꧀ꦢꦺꦫ',
    'Đảo ngược cờ',
    'Příliš žluťoučký vlajka',
    'Þæð flaggið',
    'Mañana él encendió',
    'Straße größer',
  ]
}

function lengths(): string[] {
  return [
    'W'.repeat(8_000),
    'wide words '.repeat(700),
    'i'.repeat(300),
    'no_break_'.repeat(400),
    'a-'.repeat(500),
    '漢'.repeat(2_000),
    '😀'.repeat(1_000),
    '('.repeat(1_000),
    '<b>'.repeat(500),
    '\n'.repeat(300),
    `${'\t'.repeat(50)}x`,
    'https://example.com/'.concat('path/'.repeat(200)),
    '.'.repeat(1_000),
    '‮'.repeat(100),
    '{'.repeat(200) + '}'.repeat(200),
  ]
}
