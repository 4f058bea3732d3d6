import { describe, expect, test } from 'vitest'
import { findTargetProblem } from '../../../../src/platform/outbound/find-target-problem.ts'
import { createPrivateTargets } from '../../../../src/platform/outbound/private-targets.ts'

const targets = (areBlocked: boolean, allow: readonly string[]) => createPrivateTargets({ areBlocked, allow })
const webhook = (url: string, areBlocked = false, allow: readonly string[] = []) =>
  findTargetProblem(url, { kind: 'webhook', privateTargets: targets(areBlocked, allow) })
const chat = (url: string, areBlocked = false, allow: readonly string[] = []) =>
  findTargetProblem(url, { kind: 'chat', privateTargets: targets(areBlocked, allow) })

/** Link-local, metadata, unspecified, multicast and reserved addresses in the plain notation. */
const FORBIDDEN = [
  'http://169.254.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'https://169.254.169.254/',
  'http://169.254.169.254:8080/',
  'http://169.254.170.2/v2/credentials',
  'http://169.254.255.255/',
  'http://100.100.100.200/',
  'http://168.63.129.16/',
  'http://192.0.0.192/',
  'http://0.0.0.0/',
  'http://0.0.0.0:3000/',
  'http://0.1.2.3/',
  'http://224.0.0.1/',
  'http://239.255.255.250:1900/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
  'http://[::]/',
  'http://[::]:3000/',
  'http://[fe80::1]/',
  'http://[febf::1]/',
  'http://[ff02::1]/',
  'http://[ff0e::1]/',
  'http://[fd00:ec2::254]/',
  'http://[fd00:ec2::23]/',
  'http://[fd20:ce::254]/',
  'http://[fd00:42::42]/',
  'http://[64:ff9b:1::a9fe:a9fe]/',
  'http://metadata/',
  'http://metadata.google.internal/computeMetadata/v1/',
  'http://METADATA.google.internal/',
  'http://metadata.goog/',
  'http://metadata.azure.internal/',
  'http://instance-data/latest/meta-data/',
  'http://instance-data.ec2.internal/',
]

/** The same and loopback inside IPv6 addresses. */
const FORBIDDEN_INSIDE = [
  'http://[::ffff:a9fe:a9fe]/',
  'http://[::ffff:0:0]/',
  'http://[::ffff:6464:64c8]/',
  'http://[::ffff:e000:1]/',
  'http://[::ffff:ffff:ffff]/',
  'http://[::a9fe:a9fe]/',
  'http://[::2]/',
  'http://[::ffff:0:a9fe:a9fe]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[64:ff9b::6464:64c8]/',
  'http://[64:ff9b::]/',
  'http://[2002:a9fe:a9fe::]/',
  'http://[2002:a9fe:a9fe::1]/',
  'http://[2002:0:1::]/',
  'http://[2001:0:a9fe:a9fe::1]/',
  'http://[2001:0:808:808::5601:5601]/',
  'http://[2001:db8::5efe:a9fe:a9fe]/',
  'http://[2a00:1450::200:5efe:a9fe:a9fe]/',
]

/** Notations that parsers repair in different ways. */
const ODD = [
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://0xA9.0xFE.0xA9.0xFE/',
  'http://0251.0376.0251.0376/',
  'http://0251.254.169.254/',
  'http://169.254.43518/',
  'http://169.16689662/',
  'http://169.254.169.0xfe/',
  'http://127.1/',
  'http://127.0.1/',
  'http://2130706433/',
  'http://017700000001/',
  'http://0x7f000001/',
  'http://0/',
  'http://127.000.000.001/',
  'http://１６９.254.169.254/',
  'http://①②⑦.0.0.1/',
  'http://127。0。0。1/',
  'http://169%2E254%2E169%2E254/',
  'http://%31%36%39.254.169.254/',
  'http://loc%61lhost/',
  'http://ｌocalhost/',
  'http://loca\u{00ad}lhost/',
  'http://\u{212a}ubernetes.default.svc/',
  'http://münchen.example/',
  'http://169.254.169.254./',
  'http://127.0.0.1./',
  'http://localhost./',
  'http://example.com./',
  'http://metadata.google.internal./',
  'http://[::ffff:169.254.169.254]/',
  'http://[::169.254.169.254]/',
  'http://[64:ff9b::169.254.169.254]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[FE80:0::1]/',
  'http://[fe80::1%eth0]/',
  'http://[fe80::1%25eth0]/',
  'http://[v1.fe80]/',
  'http://[::1/',
  'http://::1/',
  'http://fe80::1/',
]

const NO_ADDRESS = [
  '',
  ' ',
  'x',
  'example.com',
  '//example.com/',
  'http:',
  'http://',
  'http:///example.com/',
  'http:/example.com/',
  'http:example.com',
  'http:\\\\example.com\\',
  'http://example.com\\@169.254.169.254/',
  'http://169.254.169.254\\.example.com/',
  'http://:80/',
  'http://example.com:port/',
  'http://example.com:65536/',
  'http://example.com:-1/',
  'http://exa mple.com/',
  ' http://example.com/',
  'http://example.com/ ',
  'http://example.com/\n',
  'ht\ntp://example.com/',
  'http://exam\tple.com/',
  'http://example.com/\u{0}',
  'http://example.com/\u{85}',
  'http://user@example.com/',
  'http://user:password@example.com/',
  'http://:@example.com/',
  'http://@example.com/',
  'http://example.com@169.254.169.254/',
  'http://169.254.169.254@example.com/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:6379/_INFO',
  'javascript:alert(1)',
  'data:text/plain,x',
  'ws://example.com/',
  'unix:/var/run/docker.sock',
  'blob:https://example.com/x',
]

const PRIVATE = [
  'http://127.0.0.1/',
  'http://127.0.0.1:8080/hook',
  'http://127.255.255.254/',
  'http://localhost:8080/',
  'http://LOCALHOST/',
  'http://hooks.localhost/',
  'http://[::1]/',
  'http://[::1]:8080/hook',
  'http://[::ffff:7f00:1]/',
  'http://[::7f00:1]/',
  'http://[::ffff:0:7f00:1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[64:ff9b::a00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2002:c0a8:101::1]/',
  'http://[2001:0:7f00:1::f7f7:f7f7]/',
  'http://10.0.0.1/',
  'http://10.255.255.255/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://192.168.0.1/',
  'http://192.168.255.255/',
  'http://100.64.0.1/',
  'http://100.127.255.255/',
  'http://100.100.100.201/',
  'http://198.18.0.1/',
  'http://192.0.2.1/',
  'http://198.51.100.7/',
  'http://203.0.113.9/',
  'http://[fc00::1]/',
  'http://[fd12:3456:789a::1]/',
  'http://[fec0::1]/',
  'http://[2001:db8::1]/',
  'https://10.0.0.1/',
  'https://127.0.0.1/',
]

const PUBLIC = [
  'https://example.com',
  'https://example.com/',
  'https://Example.COM/Hook',
  'https://example.com:8443/hook?token=a%20b&x=%5C#part',
  'http://example.com/hook',
  'HTTPS://example.com/',
  'https://hooks.slack.com/services/T000/B000/XXXX',
  'https://prod-12.westeurope.logic.azure.com:443/workflows/ab/triggers/manual/paths/invoke?sp=%2Ftriggers%2Fmanual%2Frun&sig=x',
  'https://xn--mnchen-3ya.example/',
  'https://a_b.example/',
  'https://8.8.8.8/',
  'https://172.32.0.1/',
  'https://172.15.255.255/',
  'https://100.128.0.1/',
  'https://169.253.255.255/',
  'https://169.255.0.1/',
  'https://[2606:4700:4700::1111]/',
  'https://[::ffff:808:808]/',
  'https://[64:ff9b::808:808]/',
  'https://[2002:808:808::1]/',
  'https://metadata.example.com/',
  'https://localhost.example.com/',
]

/** Hosts that only look like loopback: for a chat they need https. */
const LOOKALIKES = [
  'http://localhost.example.com/',
  'http://localhost.localdomain/',
  'http://localhosts/',
  'http://xlocalhost/',
  'http://hooks.localhost/',
  'http://local-host/',
  'http://localhost4/',
  'http://ip6-localhost/',
  'http://127.0.0.1.nip.io/',
  'http://127.0.0.1.example.com/',
  'http://127-0-0-1.example.com/',
  'http://127.0.0.2/',
  'http://127.1.1.1/',
  'http://127.0.0.1x/',
  'http://[::ffff:7f00:1]/',
  'http://[::7f00:1]/',
  'http://10.0.0.1/',
  'http://192.168.0.1/',
  'http://example.com/',
  'http://example.com/localhost',
  'http://example.com/?localhost',
  'http://example.com#localhost',
  'http://example.com#@localhost/',
]

describe('link-local and metadata addresses are never reached, in any notation', () => {
  test.each([...FORBIDDEN, ...FORBIDDEN_INSIDE])('%s is refused for webhooks and chats', (url) => {
    expect(webhook(url)).toContain('never reached')
    expect(chat(url.replace(/^http:/i, 'https:'))).toContain('never reached')
  })

  test.each(ODD)('%s is refused: its host is not in the plain notation', (url) => {
    expect(webhook(url)).toMatch(/host|plain|no address/)
    expect(chat(url.replace(/^http:/, 'https:'))).not.toBeNull()
    expect(chat(url)).not.toBeNull()
  })

  test.each(NO_ADDRESS)('%j is refused: it is not an http or https address', (url) => {
    expect(webhook(url)).not.toBeNull()
    expect(chat(url)).not.toBeNull()
  })
})

describe('private and loopback addresses', () => {
  test.each(PRIVATE)('%s may be a webhook unless BLOCK_PRIVATE_TARGETS is set', (url) => {
    expect(webhook(url)).toBeNull()
    expect(webhook(url, true)).toContain('BLOCK_PRIVATE_TARGETS')
  })

  test.each(PRIVATE.filter((url) => url.startsWith('https:')))(
    '%s may be a chat unless BLOCK_PRIVATE_TARGETS is set',
    (url) => {
      expect(chat(url)).toBeNull()
      expect(chat(url, true)).toContain('BLOCK_PRIVATE_TARGETS')
    },
  )

  test.each(PUBLIC)('%s is accepted with any settings', (url) => {
    expect(webhook(url)).toBeNull()
    expect(webhook(url, true)).toBeNull()
    expect(chat(url.replace('http:', 'https:'))).toBeNull()
    expect(chat(url.replace('http:', 'https:'), true)).toBeNull()
  })
})

describe('OUTBOUND_ALLOW with BLOCK_PRIVATE_TARGETS', () => {
  const EVERYTHING = [
    '0.0.0.0/0',
    '::/0',
    'metadata.google.internal',
    'metadata',
    'localhost',
    'instance-data',
  ]

  test.each([...FORBIDDEN, ...FORBIDDEN_INSIDE, ...ODD])('OUTBOUND_ALLOW never allows %s', (url) => {
    expect(webhook(url, true, EVERYTHING)).not.toBeNull()
    expect(chat(url.replace(/^http:/i, 'https:'), true, EVERYTHING)).not.toBeNull()
  })

  test.each([
    ['https://10.20.3.4/hook', '10.20.0.0/16'],
    ['https://10.20.3.4/hook', '10.20.3.4'],
    ['https://[fd12:3456::9]/hook', 'fd12:3456::/32'],
    ['https://[::ffff:a14:304]/hook', '10.20.0.0/16'],
    ['https://localhost/hook', 'localhost'],
    ['https://LOCALHOST/hook', 'localhost'],
    ['https://localhost/hook', '127.0.0.0/8'],
    ['https://hooks.localhost/hook', 'hooks.localhost'],
  ])('OUTBOUND_ALLOW allows %s when it names %s', (url, entry) => {
    expect(webhook(url, true)).toContain('OUTBOUND_ALLOW')
    expect(webhook(url, true, ['192.0.2.7', entry])).toBeNull()
    expect(chat(url, true, [entry])).toBeNull()
  })

  test.each([
    ['https://10.21.3.4/hook', '10.20.0.0/16'],
    ['https://[2002:a14:304::1]/hook', '10.20.0.0/16'],
    ['https://[64:ff9b::a14:304]/hook', '10.20.0.0/16'],
    ['https://127.0.0.1/hook', 'localhost'],
    ['https://evil.localhost/hook', 'localhost'],
    ['https://localhost/hook', 'hooks.localhost'],
    ['https://10.20.3.4/hook', 'hooks.internal'],
  ])('OUTBOUND_ALLOW does not allow %s when it names %s', (url, entry) => {
    expect(webhook(url, true, [entry])).toContain('BLOCK_PRIVATE_TARGETS')
  })
})

describe('plain http for chats', () => {
  test.each([
    'http://127.0.0.1/',
    'http://127.0.0.1:8065/hooks/x',
    'http://localhost',
    'http://localhost:1/',
    'http://LOCALHOST:3000/',
    'http://[::1]/',
    'http://[::1]:3000/hook',
  ])('plain http is accepted for a chat on the loopback host %s', (url) => {
    expect(chat(url)).toBeNull()
    expect(chat(url.replace('http:', 'https:'))).toBeNull()
  })

  test.each(LOOKALIKES)('plain http is refused for a chat on the lookalike %s', (url) => {
    expect(chat(url)).toContain('must begin with https://')
  })
})

test('a problem reveals nothing of an address except its host', () => {
  const urls = [...ODD, ...FORBIDDEN, ...LOOKALIKES, 'http://user:pass-word@example.com/']
  for (const url of urls.map((each) => `${each}/path-secret?query-secret`)) {
    for (const problem of [webhook(url, true), chat(url, true)]) {
      expect(String(problem)).not.toMatch(/path-secret|query-secret|pass-word/)
    }
  }
})
