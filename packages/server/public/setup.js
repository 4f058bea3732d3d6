import { callApi } from './call-api.js'
import { showDone } from './setup-done.js'
import { showForm } from './setup-form.js'
import { showCode, showView } from './view.js'

const is_setup_page = location.pathname.replace(/\/+$/, '') === '/setup'
const given_token = is_setup_page ? takeToken() : null

await start(given_token)

/** The token leaves the address bar, and with it the history and whatever is shared from there; it stays in memory only. */
function takeToken() {
  const token = new URLSearchParams(location.search).get('token')
  if (location.search !== '') history.replaceState(null, '', location.pathname)
  return token || null
}

/** Shows what the state of set-up asks for: without the token it is a secret before set-up, 401, and public afterwards. */
async function start(token) {
  const { body, status } = await callApi('/api/setup', { token })
  if (status === 200 && body.is_setup_complete) return showRunning()
  if (status !== 200 && status !== 401) return showFailure(body.error, () => start(token))
  if (!is_setup_page) return showWaiting()
  const refusal = status === 401 && token !== null ? 'This token is not, or no longer, the right one.' : null
  showForm({ token: status === 200 ? token : null, refusal, onDone: showDone, onElsewhere: showRunning })
}

function showWaiting() {
  const { slot } = showView('waiting-view', 'Burgee waits to be set up')
  slot('origin').textContent = location.origin
}

async function showRunning() {
  const [me, workspace] = await Promise.all([callApi('/api/auth/me'), callApi('/api/auth/workspace')])
  const is_signed_in = me.status === 200
  const { slot, view } = showView('running-view', 'Burgee')
  if (workspace.status === 200) slot('workspace').textContent = workspace.body.workspace_name
  if (is_signed_in) slot('session').textContent = `You are signed in as ${me.body.email}.`
  slot(is_signed_in ? 'docs-signed-in' : 'docs-signed-out').hidden = false
  const command = `curl -H "Authorization: Bearer <SDK key>" \\\n  ${location.origin}/api/docs`
  const code = view.querySelector('[data-command="docs"]')
  code.hidden = is_signed_in
  showCode(code, { text: command, place: 'Terminal', label: 'Command that reads the API reference' })
}

function showFailure(message, retry) {
  const { slot } = showView('failure-view', 'Burgee')
  slot('message').textContent = message
  slot('retry').addEventListener('click', () => void retry())
}
