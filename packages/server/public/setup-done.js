import { copyOf, copyOnClick, showCode, showView, slotOf } from './view.js'

/** Shows what set-up has created: the key, this once, the environments, and the way to a first flag. */
export function showDone({ environments, project, sdk_key, user }) {
  const { slot, view } = showView('done-view', `${user.workspace_name} is ready · Burgee`)
  slot('workspace').textContent = user.workspace_name
  slot('admin').textContent = user.name
  slot('project').textContent = project.name
  slot('key').textContent = sdk_key.key
  const release = holdUntilCopied(slot('key'))
  copyOnClick(slot('copy-key'), { source: slot('key'), label: 'SDK key', onCopied: release })
  slot('environments').replaceChildren(...environments.map(environmentRow))
  const texts = commands({
    origin: location.origin,
    key: sdk_key.key,
    environment_id: sdk_key.environment_id,
  })
  for (const [name, code] of Object.entries(texts)) {
    showCode(view.querySelector(`[data-command="${name}"]`), code)
  }
}

function environmentRow({ color, id, is_default, name }) {
  const row = copyOf('environment-row')
  slotOf(row, 'color').style.backgroundColor = color
  slotOf(row, 'name').textContent = name
  slotOf(row, 'default').hidden = !is_default
  slotOf(row, 'id').textContent = id
  copyOnClick(slotOf(row, 'copy'), { source: slotOf(row, 'id'), label: `id of ${name}` })
  return row
}

function commands({ environment_id, key, origin }) {
  const flags = `${origin}/api/environments/${environment_id}/flags`
  const headers = `  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\`
  return {
    create: {
      label: 'Command that creates a flag',
      place: 'Terminal',
      text: `curl -X POST \\
  "${flags}" \\
${headers}
  -d '{"key": "new-checkout", "is_enabled": true, "rollout_percentage": 25}'`,
    },
    program: { label: 'Program that uses the flag', place: 'app.mjs', text: program(origin) },
    change: {
      label: 'Command that changes the flag',
      place: 'Terminal',
      text: `curl -X PATCH \\
  "${flags}/new-checkout" \\
${headers}
  -d '{"rollout_percentage": 100}'`,
    },
  }
}

const program = (origin) => `import { createClient } from '@burgee/sdk'

const flags = createClient({
  url: '${origin}',
  sdkKey: process.env.BURGEE_SDK_KEY,
})
await flags.connect() // resolves when all flags are here

const show = () => {
  const is_on = flags.isEnabled('new-checkout', 'user-42')
  console.log(is_on ? 'the new checkout' : 'the old checkout')
}
show()
flags.on('update', show)`

/** Asks before the page is left with a key that nobody has; a copy made by hand counts too. Returns what ends the asking. */
function holdUntilCopied(key) {
  const ask = (event) => event.preventDefault()
  const release = () => removeEventListener('beforeunload', ask)
  addEventListener('beforeunload', ask)
  key.addEventListener('copy', release)
  return release
}
