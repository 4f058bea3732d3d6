/**
 * Texts that break pages which are careless with them: markup that would run, syntax of other languages, and writing that is hard to lay
 * out. Without NUL and halves of surrogate pairs, which the API refuses. Each is as good as any other: they come by family.
 */
export const NAUGHTY_STRINGS: readonly string[] = [
  ...new Set([
    ...markup(),
    ...templates(),
    ...queries(),
    ...commands(),
    ...paths(),
    ...names(),
    ...numbers(),
    ...documents(),
    ...invisible(),
    ...directions(),
    ...pictures(),
    ...alphabets(),
    ...lengths(),
  ]),
]

function markup(): string[] {
  const payloads = [
    '<script>alert(1)</script>',
    '<script src="https://evil.example/x.js"></script>',
    '<img src=x onerror=alert(1)>',
    '<img/src="x"/onerror="alert`1`">',
    '<svg onload=alert(1)>',
    '<svg><animate onbegin=alert(1) attributeName=x dur=1s></svg>',
    '<iframe src="javascript:alert(1)"></iframe>',
    '<a href="javascript:alert(1)">click</a>',
    '<details open ontoggle=alert(1)>',
    '<body onload=alert(1)>',
    '<input autofocus onfocus=alert(1)>',
    '<video><source onerror=alert(1)></video>',
    '<math><mtext><style><img src onerror=alert(1)></style></mtext></math>',
    '<style>*{display:none}</style>',
    '<link rel=stylesheet href=https://evil.example/x.css>',
    '<meta http-equiv=refresh content="0;url=https://evil.example">',
    '<object data="data:text/html,<script>alert(1)</script>"></object>',
    '<form action=javascript:alert(1)><button>go</button></form>',
    '<base href=https://evil.example/>',
    '<template><script>alert(1)</script></template>',
  ]
  const wrappers: ((payload: string) => string)[] = [
    (payload) => payload,
    (payload) => `">${payload}`,
    (payload) => `'>${payload}`,
    (payload) => `</textarea></title>${payload}`,
    (payload) => `--><!--${payload}`,
    (payload) => payload.toUpperCase(),
    (payload) => payload.replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    (payload) => encodeURIComponent(payload),
    (payload) => payload.replaceAll('<', '\\u003c'),
  ]
  const urls = ['javascript:alert(1)', ' \tjavascript:alert(1)', 'data:text/html,<b>x</b>', '//evil.example']
  return [...payloads.flatMap((payload) => wrappers.map((wrap) => wrap(payload))), ...urls]
}

function templates(): string[] {
  const sums = [
    '{{7*7}}',
    `$${'{7*7}'}`,
    '<%= 7*7 %>',
    '#{7*7}',
    '[[7*7]]',
    '{%7*7%}',
    '@(7*7)',
    '*{7*7}',
    '$7*7$',
  ]
  const calls = [
    "{{constructor.constructor('alert(1)')()}}",
    `$${"{alert('1')}"}`,
    '{{_self.env.display("x")}}',
    '<#assign x="freemarker.template.utility.Execute"?new()>',
    '{{#with "s" as |string|}}{{/with}}',
    '$eval.constructor(`alert(1)`)()',
    '{{{raw}}}',
    '{{> partial}}',
    ':::{.note}',
    '[x](javascript:alert(1))',
    '![x](x "onerror=alert(1)")',
    '**bold** _thin_ `code` ~~gone~~',
  ]
  return [...sums, ...calls]
}

function queries(): string[] {
  const tails = ['--', '#', '/*', ';--', ') --']
  const breaks = ["' OR '1'='1", '" OR ""="', "1' OR 1=1", "'; DROP TABLE flags", "' UNION SELECT NULL"]
  return [
    ...breaks.flatMap((text) => tails.map((tail) => `${text} ${tail}`)),
    "Robert'); DROP TABLE users;",
    "O'Brien",
    '{"$gt": ""}',
    '{"$where": "sleep(1000)"}',
    '*)(uid=*))(|(uid=*',
    "' or count(/child::node())=1 or ''='",
  ]
}

function commands(): string[] {
  const words = ['reboot', 'cat /etc/passwd', 'curl https://evil.example']
  const wraps = [
    (word: string) => `; ${word}`,
    (word: string) => `| ${word}`,
    (word: string) => `$(${word})`,
    (word: string) => `\`${word}\``,
    (word: string) => `&& ${word} &`,
    (word: string) => `"; ${word}; "`,
  ]
  const formats = [
    '%s%s%s%n',
    '%x%x%x%x',
    '%d',
    '%99999999s',
    '%@',
    '{0}{1}',
    '$1$2',
    '\\1\\2',
    '%%',
    '%c%p%a',
  ]
  return [
    ...wraps.flatMap((wrap) => words.map(wrap)),
    ...formats,
    '() { :;}; echo x',
    '\\',
    '\\\\',
    "\\'",
    '\\"',
  ]
}

function paths(): string[] {
  const ups = ['../', '..\\', '%2e%2e%2f', '..%c0%af', '....//']
  const targets = ['etc/passwd', 'windows/win.ini']
  const devices = [
    'CON',
    'NUL',
    'aux.txt',
    'COM1',
    'LPT1',
    'desktop.ini',
    '.htaccess',
    '.git/config',
    '~root',
  ]
  const rest = [
    '/',
    '//',
    'C:\\',
    '\\\\server\\share',
    'file:///etc/passwd',
    '/dev/null',
    '?q=1#top',
    './.',
    '*',
  ]
  return [...ups.flatMap((up) => targets.map((target) => up.repeat(4) + target)), ...devices, ...rest]
}

/** What objects and programs have of their own. */
function names(): string[] {
  return [
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'valueOf',
    'hasOwnProperty',
    'isPrototypeOf',
    '__defineGetter__',
    '__lookupSetter__',
    'then',
    'toJSON',
    'length',
    'arguments',
    'undefined',
    'null',
    'nil',
    'None',
    '(null)',
    'true',
    'FALSE',
    'NaN',
    '[object Object]',
    'function () {}',
    '$$typeof',
    'dangerouslySetInnerHTML',
    'key',
    'ref',
    'children',
  ]
}

function numbers(): string[] {
  return [
    '0',
    '-0',
    '-1',
    '1/0',
    '0.0',
    '1e999',
    '-1e999',
    'Infinity',
    '-Infinity',
    '0x10',
    '0b11',
    '0o17',
    '010',
    '1_000',
    '1,000.00',
    '1.000,00',
    "1'000",
    '١٢٣',
    '१२३',
    '１２３',
    '½',
    '²',
    'Ⅻ',
    '9007199254740993',
    '-9223372036854775809',
    '0.1e-400',
    '1.7976931348623157e309',
    '2147483648',
    '1970-01-01T00:00:00Z',
    '9999-12-31T23:59:60+24:00',
    '$1.00',
    '100 %',
    '+49 0123',
  ]
}

/** Parts of files that other programs would read. */
function documents(): string[] {
  return [
    '=1+1',
    '@SUM(A1:A9)',
    "+cmd|' /C calc'!A0",
    '-2+3',
    '"a","b"\n"c',
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]><x>&y;</x>',
    '<!DOCTYPE html>',
    '<![CDATA[x]]>',
    ']]>',
    '<?php echo 1; ?>',
    '&amp;&lt;&#x3c;&nbsp;&bogus;',
    '{"a":',
    '{"__proto__":{"admin":true}}',
    '[[[[[[[[[[',
    'data: x\n\nevent: update\ndata: {}',
    'x\r\nSet-Cookie: a=b',
    '--boundary\r\nContent-Type: text/html',
    '!!js/function "x"',
    '- &a [*a]',
    '# not a comment',
    '```js\nalert(1)\n```',
    'BEGIN:VCARD',
    'a\tb\tc',
    'one\ntwo\r\nthree\rfour',
  ]
}

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
