import { callApi } from './call-api.js'
import { showView } from './view.js'

/** In people's words, where the validator would speak of patterns. */
const FIELD_PROBLEMS = {
  '/workspace_name': 'Give the workspace a name.',
  '/project_name': 'Give the project a name.',
  '/admin/name': 'Enter your name.',
  '/admin/email': 'Enter an e-mail address, such as ada@example.com.',
  '/admin/password': 'Use at least 8 characters.',
}
const VALIDATOR_SPEAK = /fewer than|pattern|is required/

/**
 * `token` is null when it must be asked for; `refusal` then says why. `onDone` gets what set-up has created, `onElsewhere`
 * is called when somebody else was first.
 */
export function showForm({ onDone, onElsewhere, refusal, token }) {
  const { slot, view } = showView('form-view', 'Set up Burgee')
  const form = view.querySelector('form')
  slot('token').hidden = token !== null
  if (refusal !== null) showProblem(form.elements.token, refusal)
  slot('reveal').addEventListener('click', () =>
    revealPassword(form.querySelector('#password'), slot('reveal')),
  )
  form.addEventListener('input', ({ target }) => showProblem(target, null))
  let is_sending = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (is_sending) return
    is_sending = true
    markSending(slot('submit'), true)
    const known = token ?? form.elements.token.value.trim()
    const answer = await callApi('/api/setup', { token: known, body: readInput(form) })
    is_sending = false
    markSending(slot('submit'), false)
    if (answer.status === 200) return onDone(answer.body)
    if (answer.status === 409 && (await isComplete())) return onElsewhere()
    if (answer.status === 401) {
      token = null
      slot('token').hidden = false
    }
    showRefusal(form, slot('failure'), answer)
  })
}

const fields = (form) => [...form.querySelectorAll('[data-path]')]

/** Each field's path is its place in the request, so the problems of the answer find their way back. */
function readInput(form) {
  const input = { admin: {} }
  for (const { dataset, value } of fields(form)) {
    const [first, second] = dataset.path.slice(1).split('/')
    if (second === undefined) input[first] = value.trim()
    else input[first][second] = second === 'password' ? value : value.trim()
  }
  return input
}

function showRefusal(form, failure, { body, status }) {
  const by_path = new Map()
  for (const { message, path } of body.details ?? []) {
    if (!by_path.has(path)) by_path.set(path, inWords(path, message))
  }
  for (const field of fields(form)) {
    showProblem(field, by_path.get(field.dataset.path) ?? null)
    by_path.delete(field.dataset.path)
  }
  if (status === 401) showProblem(form.elements.token, 'This is not the set-up token.')
  const wrong = form.querySelector('[aria-invalid="true"]')
  const unplaced = [...by_path].map(([path, message]) => `${path}: ${message}`).join(' ')
  failure.textContent = unplaced || (wrong ? '' : body.error)
  failure.hidden = failure.textContent === ''
  if (wrong) wrong.focus()
  else failure.scrollIntoView({ block: 'nearest' })
}

function inWords(path, message) {
  if (VALIDATOR_SPEAK.test(message) && path in FIELD_PROBLEMS) return FIELD_PROBLEMS[path]
  const plain = message.replace('NOT', 'not')
  return `${plain[0].toUpperCase()}${plain.slice(1)}.`
}

function showProblem(field, text) {
  const problem = document.getElementById(`${field.id}-problem`)
  if (problem === null) return
  problem.textContent = text ?? ''
  problem.hidden = text === null
  if (text === null) field.removeAttribute('aria-invalid')
  else field.setAttribute('aria-invalid', 'true')
}

function revealPassword(field, button) {
  const is_shown = field.type === 'password'
  field.type = is_shown ? 'text' : 'password'
  button.textContent = is_shown ? 'Hide' : 'Show'
  button.ariaLabel = `${button.textContent} password`
}

function markSending(button, is_sending) {
  button.setAttribute('aria-disabled', String(is_sending))
  button.textContent = is_sending ? 'Setting up…' : 'Set up Burgee'
}

async function isComplete() {
  const { body, status } = await callApi('/api/setup')
  return status === 200 && body.is_setup_complete
}
