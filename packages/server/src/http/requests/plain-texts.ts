import { type Endpoint, isPlain, PLAIN_FORMATS, PLAIN_TEXT_REFUSAL, type PlainFormat } from '@burgee/contract'
import type { Actor } from '../../kernel/actor.ts'
import { invalid } from '../../kernel/refusal.ts'
import type { PathParams } from '../../platform/composition.ts'

/** A text that a thing already has passes, whatever the rule for new ones is. */
export type HasStoredText = (
  place: { readonly path: string; readonly params: PathParams; readonly actor: Actor | null },
  field: string,
  text: string,
) => Promise<boolean>

type Properties = Readonly<Record<string, { readonly format?: unknown }>>
const propertiesOf = (schema: object | undefined): Properties => Object(Object(schema).properties)

/** Returns the format of a text that is shown to people; null for anything else. */
const plainFormatOf = ({ format }: Properties[string]): PlainFormat | null =>
  PLAIN_FORMATS.find((one) => one === format) ?? null

/** Returns a schema whose names and addresses may have any characters: the stored ones are not known here. */
export function withoutPlainFormats(schema: object): object {
  const entries = Object.entries(propertiesOf(schema)).map(([name, property]) => {
    const { format, ...others } = property
    return [name, plainFormatOf(property) === null ? property : others]
  })
  return { ...schema, properties: Object.fromEntries(entries) }
}

/** Refuses names and addresses of a patch that are not plain, unless they repeat what is stored. */
export async function requirePlainTexts(
  hasStoredText: HasStoredText,
  { body: schema, path }: Endpoint,
  sent: { readonly body: unknown; readonly params: PathParams; readonly actor: Actor | null },
): Promise<void> {
  const { actor, body, params } = sent
  for (const [field, property] of Object.entries(propertiesOf(schema))) {
    const format = plainFormatOf(property)
    const text: unknown = Object(body)[field]
    if (format === null || typeof text !== 'string' || isPlain(format, text)) continue
    if (!(await hasStoredText({ path, params, actor }, field, text)))
      throw invalid([{ path: `/${field}`, message: PLAIN_TEXT_REFUSAL }])
  }
}
