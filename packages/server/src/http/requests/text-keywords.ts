import {
  _,
  type Code,
  type CodeKeywordDefinition,
  type KeywordCxt,
  type KeywordErrorDefinition,
  str,
} from 'ajv'

/** The largest number of UTF-16 units of one character. */
const UNITS_MAX = 2

/**
 * The keywords of texts, in place of those of Ajv, which count every character of a text of megabytes. A text
 * that its length in UTF-16 units alone decides is neither counted nor searched.
 */
export const TEXT_KEYWORDS: readonly CodeKeywordDefinition[] = [
  {
    keyword: 'maxLength',
    ...{ type: 'string', schemaType: 'number', before: 'pattern' },
    error: lengthError('more'),
    code(cxt: KeywordCxt) {
      const { data, schema: limit } = cxt
      cxt.fail(
        _`${data}.length > ${limit} && (${data}.length > ${UNITS_MAX * limit} || ${counterOf(cxt)}(${data}) > ${limit})`,
      )
    },
  },
  {
    keyword: 'minLength',
    ...{ type: 'string', schemaType: 'number', before: 'pattern' },
    error: lengthError('fewer'),
    code(cxt: KeywordCxt) {
      const { data, schema: limit } = cxt
      cxt.fail(
        _`${data}.length < ${limit} || (${data}.length < ${UNITS_MAX * limit - 1} && ${counterOf(cxt)}(${data}) < ${limit})`,
      )
    },
  },
  {
    keyword: 'pattern',
    ...{ type: 'string', schemaType: 'string', before: 'format' },
    error: {
      message: ({ schemaCode }) => str`must match pattern "${schemaCode}"`,
      params: ({ schemaCode }) => _`{pattern: ${schemaCode}}`,
    },
    code(cxt: KeywordCxt) {
      const { data, gen, parentSchema, schema: pattern } = cxt
      const expression = gen.scopeValue('pattern', { key: pattern, ref: new RegExp(pattern, 'u') })
      const isShort: Code =
        parentSchema.maxLength === undefined
          ? _`true`
          : _`${data}.length <= ${UNITS_MAX * parentSchema.maxLength}`
      cxt.fail(_`${isShort} && !${expression}.test(${data})`)
    },
  },
]

function lengthError(than: 'more' | 'fewer'): KeywordErrorDefinition {
  return {
    message: ({ schemaCode }) => str`must NOT have ${than} than ${schemaCode} characters`,
    params: ({ schemaCode }) => _`{limit: ${schemaCode}}`,
  }
}

const counterOf = ({ gen }: KeywordCxt) => gen.scopeValue('func', { ref: countCharacters })

/** Returns the number of code points. */
function countCharacters(text: string): number {
  let count = 0
  for (const _character of text) count += 1
  return count
}
