import type { Spend } from '../../../kernel/check-budget.ts'
import { CheckRun, type Misfit, type Rule, type SchemaRules } from './check-run.ts'
import type { Keywords } from './read-schema.ts'
import { COMBINING_RULES } from './rules/combining-rules.ts'
import { LAST_LIST_RULES, LIST_RULES } from './rules/list-rules.ts'
import { LAST_OBJECT_RULES, OBJECT_RULES } from './rules/object-rules.ts'
import type { RuleOf, SchemaDocument } from './rules/rule-source.ts'
import { FIRST_RULES, NUMBER_RULES, TEXT_RULES } from './rules/scalar-rules.ts'

/**
 * Returns a function that finds the first place of a value that does not fit a schema. The schema is
 * interpreted and never becomes code. All values share the counter.
 */
export function createMisfitFinder(
  document: SchemaDocument,
  spend: Spend,
): (value: unknown) => Misfit | null {
  const run = new CheckRun(spend, (schema, run) => rulesOf(schema, document, run))
  return (value) => run.findMisfit(document.root, value)
}

function rulesOf(schema: Keywords, document: SchemaDocument, run: CheckRun): SchemaRules {
  const source = { schema, document, run }
  run.spend(TABLES)
  const pick = <V>(table: Readonly<Record<string, RuleOf<V>>>): Rule<V>[] =>
    Object.entries(table).flatMap(([keyword, ruleOf]) =>
      Object.hasOwn(schema, keyword) ? (ruleOf(schema[keyword], source) ?? []) : [],
    )
  return {
    first: pick(FIRST_RULES),
    text: pick(TEXT_RULES),
    number: pick(NUMBER_RULES),
    list: pick(LIST_RULES),
    object: pick(OBJECT_RULES),
    combined: pick(COMBINING_RULES),
    lastOfList: pick(LAST_LIST_RULES),
    lastOfObject: pick(LAST_OBJECT_RULES),
  }
}
/** The steps to look for the rules of one schema. */
const TABLES = 40
