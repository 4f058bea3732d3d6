import { Code, Stack, Tabs, Text, Title } from '@mantine/core'
import { Snippet } from '../../shared/ui/empty-state.tsx'

/** The way in which a receiver verifies that a message is Burgee's, as in docs/webhooks.md. */
export function VerifySignature() {
  return (
    <Stack gap="xs" component="section" aria-labelledby="verify-signature">
      <Title order={2} size="h5" id="verify-signature">
        Verify the signature
      </Title>
      <Text size="sm" c="dimmed">
        Messages follow Standard Webhooks, so any library for those verifies them. By hand:{' '}
        <Code>webhook-signature</Code> is <Code>v1,</Code> and the base64 of HMAC-SHA256 over{' '}
        <Code>{'<webhook-id>.<webhook-timestamp>.<body>'}</Code>. Verify the body as it came, before you parse
        it.
      </Text>
      <Tabs defaultValue="node" keepMounted={false}>
        <Tabs.List mb="xs">
          <Tabs.Tab value="node">Node</Tabs.Tab>
          <Tabs.Tab value="python">Python</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="node">
          <Snippet code={NODE} />
        </Tabs.Panel>
        <Tabs.Panel value="python">
          <Snippet code={PYTHON} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  )
}

const NODE = `import { createHmac, timingSafeEqual } from 'node:crypto'

// What follows whsec_ is base64; another secret is its UTF-8 bytes.
const key = Buffer.from(process.env.WEBHOOK_SECRET.slice('whsec_'.length), 'base64')

export function isFromBurgee(headers, body) {
  const id = headers['webhook-id']
  const timestamp = headers['webhook-timestamp']
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false
  const expected = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\${body}\`).digest()
  return (headers['webhook-signature'] ?? '').split(' ').some((signature) => {
    const [version, text = ''] = signature.split(',')
    const given = Buffer.from(text, 'base64')
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
}`

const PYTHON = `import base64, hashlib, hmac, os, time

# What follows whsec_ is base64; another secret is its UTF-8 bytes.
KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))

def is_from_burgee(headers: dict, body: bytes) -> bool:
    timestamp = headers["webhook-timestamp"]
    if abs(time.time() - int(timestamp)) > 300:
        return False
    signed = f"{headers['webhook-id']}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(expected, signature) for signature in given)`
