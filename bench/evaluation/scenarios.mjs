/** The measured scenarios: the same questions for every contestant, in its own format. */

/** The number of users that take turns, so that no contestant benefits from remembering the last one. */
export const USERS = 1024

/**
 * The attributes that rules read. All users have the same ones: the five-value rules and rule 50 match all of
 * them.
 */
const attributes = { country: 'NZ', plan: 'pro', company: 'harbour', role: 'skipper', browser: 'netscape' }

const names = Object.keys(attributes)
const others = (prefix, count) => Array.from({ length: count }, (_, index) => `${prefix}-${index}`)

export const users = Array.from({ length: USERS }, (_, index) => ({
  key: `user-${(index * 7919).toString(36)}-${index}`,
  attributes: { ...attributes },
}))

/** The same users with names of as many characters, four of which are katakana. */
export const nonAsciiUsers = users.map(({ key, attributes }) => ({
  key: key.replace('user', 'ユーザー'),
  attributes,
}))

/** For each rule the attribute, and the values of which one must be equal. */
export const threeRules = [
  { attribute: 'country', values: others('country', 5) },
  { attribute: 'plan', values: others('plan', 5) },
  { attribute: 'company', values: [...others('company', 4), 'harbour'] },
]

export const fiftyRules = Array.from({ length: 50 }, (_, index) => ({
  attribute: names[index % names.length],
  values: index === 49 ? ['lynx', 'netscape'] : others(`rule-${index}`, 2),
}))

export const fourVariants = ['red', 'green', 'blue', 'white']

const everyUser = (value) => (values) => values.every((each) => each === value)
const about = (share, value) => (values) =>
  Math.abs(values.filter((each) => each === value).length / values.length - share) < 0.06

/** The scenarios. Each is evaluated for every user and compared with `right` before it is timed. */
export const scenarios = [
  { name: 'boolean', title: 'Boolean flag', users, right: everyUser(true) },
  { name: 'rollout', title: '30% rollout', users, right: about(0.3, true) },
  { name: 'rules', title: 'Three rules of five values, hit on the third', users, right: everyUser(true) },
  {
    name: 'variants',
    title: 'Four-way variant',
    users,
    right: (values) => fourVariants.every((variant) => about(0.25, variant)(values)),
  },
  { name: 'prerequisite', title: 'Prerequisite', users, right: everyUser(true) },
  { name: 'fifty', title: '50 rules, hit on the last', users, right: everyUser(true) },
  {
    name: 'non-ascii',
    title: '30% rollout, user key not ASCII',
    users: nonAsciiUsers,
    right: about(0.3, true),
  },
]
