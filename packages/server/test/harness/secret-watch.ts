import { secretForms } from './secret-forms.ts'

/** A place that must not contain secrets: the log, an error body, a table. */
export interface WatchedText {
  readonly place: string
  readonly text: string
}

/** The secrets of the tests, and where they occur. */
export interface SecretWatch {
  /** Watches a text, which must not occur anywhere from now on. `name` identifies it in findings. */
  watch(secret: string, name: string): void
  /** Returns one line for each watched secret and place that contains it, without the secret itself. */
  findIn(texts: readonly WatchedText[]): string[]
}

export function createSecretWatch(): SecretWatch {
  const formsBySecret = new Map<string, { readonly name: string; readonly forms: readonly string[] }>()
  return {
    watch(secret, name) {
      if (!formsBySecret.has(secret)) formsBySecret.set(secret, { name, forms: secretForms(secret) })
    },
    findIn(texts) {
      return [...formsBySecret.values()].flatMap(({ forms, name }) =>
        texts.flatMap(({ place, text }) => {
          const form = forms.find((candidate) => text.includes(candidate))
          return form === undefined ? [] : [`${name} in ${place}: ${stepInputs(text, form)}`]
        }),
      )
    },
  }
}

const CONTEXT_CHARS = 60

function stepInputs(text: string, form: string): string {
  const at = text.indexOf(form)
  const before = text.slice(Math.max(0, at - CONTEXT_CHARS), at)
  const after = text.slice(at + form.length, at + form.length + CONTEXT_CHARS)
  return `${before}<here>${after}`
}
