/** The people of the demo. All have the same password. */
const PEOPLE = [
  { name: 'Edith Berg', email: 'editor@example.com', role: 'editor', projectRole: 'editor' },
  { name: 'Viggo Lund', email: 'viewer@example.com', role: 'viewer', projectRole: 'viewer' },
  { name: 'Petra Aas', email: 'admin@example.com', role: 'editor', projectRole: 'admin' },
]

/**
 * Signs a person in: `call(method, path, body)` then acts for them, returns null for a 404 and fails on any
 * other refusal.
 */
export async function signIn(url, { email, password }) {
  const login = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  if (!login.ok) throw new Error(`the demo's ${email} cannot sign in: delete data/demo and try again`)
  const cookie = (login.headers.get('set-cookie') ?? '').split(';')[0]
  return async (method, path, body) => {
    const response = await fetch(`${url}/api/${path}`, {
      method,
      headers: { cookie, 'x-flagservice-request': 'true', 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (response.status === 404) return null
    if (!response.ok)
      throw new Error(`the demo could not be filled: ${method} ${path} returned ${response.status} ${text}`)
    return text ? JSON.parse(text) : {}
  }
}

/** Creates missing people and makes them members of the project. */
export async function seedPeople(admin, project_id, password) {
  const users = await admin('GET', 'users')
  const members = await admin('GET', `projects/${project_id}/members`)
  for (const { projectRole, ...person } of PEOPLE) {
    const user =
      users.find(({ email }) => email === person.email) ??
      (await admin('POST', 'users', { ...person, password }))
    if (members.some(({ user_id }) => user_id === user.id)) continue
    await admin('POST', `projects/${project_id}/members`, { user_id: user.id, role: projectRole })
  }
}

/** Creates the admin's tokens, and keys in addition to the one that the shop uses. */
export async function seedCredentials(admin, project_id, environments) {
  const tokens = await admin('GET', 'tokens')
  for (const token of [
    { name: 'Deploy script', scope: 'read_write', expires_in_days: 90 },
    { name: 'Flag report', scope: 'read_only' },
  ]) {
    if (!tokens.some(({ name }) => name === token.name)) await admin('POST', 'tokens', token)
  }
  const keys = await admin('GET', `projects/${project_id}/keys`)
  for (const key of [
    { name: 'Shop in the browser', kind: 'client', environment_id: environments.production.id },
    { name: 'Staging backend', environment_id: environments.staging.id },
    { name: 'Laptops', environment_id: environments.development.id },
  ]) {
    if (!keys.some(({ name }) => name === key.name)) await admin('POST', `projects/${project_id}/keys`, key)
  }
}
