import { CompiledQuery } from 'kysely'

/** The values of a statement by name. */
type Values = Readonly<Record<string, unknown>>

/** A name in a text, which is no cast such as `::json`. */
const NAMED = /(?<!:):([a-z_]+)/g

/**
 * Compiles a statement that runs often once: `:name` in the text is a value. Returns what gives it its
 * values, for `executeQuery` of a connection. A query that Kysely builds is compiled each time it runs.
 */
export function compileStatement<V extends object = Values>(text: string): (values: V) => CompiledQuery {
  const names: string[] = []
  const numbered = text.replace(NAMED, (_, name: string) => {
    if (!names.includes(name)) names.push(name)
    return `$${names.indexOf(name) + 1}`
  })
  return (values) => {
    // An interface, such as the values have, is no record for the compiler.
    const named = values as Values
    return CompiledQuery.raw(
      numbered,
      names.map((name) => {
        // Undefined is null. A name that nothing has would be, too.
        if (!(name in named)) throw new TypeError(`the statement has no value for :${name}`)
        return named[name]
      }),
    )
  }
}
