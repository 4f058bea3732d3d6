import { percentile } from '../harness/percentile.mjs'
import { figure } from '../harness/result-table.mjs'

const RULES = 200
const FLAG_KEY = 'many-rules'
const DELAY_MS = 120
const KEYS = 'value-of-a-rule'
const GOAL = { atMost: 50 }

/**
 * Measures the time from each keystroke in the fields of an open rule until the next frame, in a flag of 200
 * rules. `address` is that of the list of flags, `open` opens a window.
 */
export async function measureRuleTyping({ open, address, url, environment: { environment_id, sdk_key } }) {
  await createFlag(url, environment_id, sdk_key)
  const { page, close } = await open()
  await page.addInitScript(watchInput)
  await page.goto(`${await address(page)}/${FLAG_KEY}`)
  const rule = page.getByRole('listitem', { name: 'Rule 2', exact: true })
  await rule.getByRole('button', { name: /team-1/ }).click()
  const rows = []
  for (const [label, field] of [
    ['value', rule.getByLabel('Values')],
    ['served value', rule.getByRole('textbox', { name: 'Serve' })],
    ['attribute', rule.getByRole('combobox', { name: 'Attribute' })],
  ]) {
    await field.click()
    await page.keyboard.press('End')
    await page.evaluate(() => globalThis.inputs.forget())
    await page.keyboard.type(KEYS, { delay: DELAY_MS })
    if (label === 'value') await page.keyboard.press('Enter')
    const keysMs = await page.evaluate(() => globalThis.inputs.keysMs())
    rows.push([label, figure(percentile(keysMs, 50), 'ms'), figure(Math.max(...keysMs), 'ms', GOAL)])
  }
  await close()
  return { columns: [`Field of one of ${RULES} rules`, 'median', 'slowest'], rows }
}

async function createFlag(url, environment_id, sdk_key) {
  const rules = Array.from({ length: RULES }, (_, at) => ({
    attribute: 'team',
    operator: 'equals',
    values: [`team-${at}`, `team-${at}-guests`],
    variant: `value-${at}`,
  }))
  const flag = { key: FLAG_KEY, is_enabled: true, flag_type: 'string', default_value: 'none', rules }
  const response = await fetch(`${url}/api/environments/${environment_id}/flags`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sdk_key}`, 'content-type': 'application/json' },
    body: JSON.stringify(flag),
  })
  if (response.status !== 200) throw new Error(`the flag was refused with ${response.status}`)
}

/** Runs in a page before its own code: measures from each input event until the frame after it was drawn. */
function watchInput() {
  const measured = []
  globalThis.inputs = {
    forget: () => measured.splice(0),
    keysMs: () => measured,
  }
  addEventListener(
    'input',
    () => {
      const startedAt = performance.now()
      requestAnimationFrame(() => {
        // A message is handled after the frame was drawn.
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => measured.push(performance.now() - startedAt)
        port2.postMessage(null)
      })
    },
    { capture: true },
  )
}
