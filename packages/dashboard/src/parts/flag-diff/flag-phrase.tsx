import type { Flag } from '@burgee/contract'
import {
  IconArrowsSort,
  IconMinus,
  IconPencil,
  IconPlus,
  IconToggleLeft,
  IconToggleRight,
} from '@tabler/icons-react'
import { ValueNames } from '../../shared/ui/value-names.tsx'
import { RuleSentence } from '../rules/rule-sentence.tsx'
import { changedRule } from './changed-rule.ts'
import classes from './flag-diff.module.css'
import { capitalize, formatPhrase } from './format-phrase.ts'
import { type PhraseKind, phraseKind } from './phrase-kind.ts'

const ICONS: Readonly<Record<PhraseKind, typeof IconPlus>> = {
  on: IconToggleRight,
  off: IconToggleLeft,
  added: IconPlus,
  removed: IconMinus,
  changed: IconPencil,
  moved: IconArrowsSort,
}

interface FlagPhraseProps {
  readonly phrase: string
  readonly before: Flag | null
  readonly after: Flag | null
}

/** One thing that changes, with a sign for its kind; a rule that comes or goes as its sentence. */
export function FlagPhrase({ phrase, before, after }: FlagPhraseProps) {
  const isNew = before === null && after !== null
  const flag_type = (after ?? before)?.flag_type ?? null
  const kind = phraseKind(phrase)
  const Icon = ICONS[kind]
  const changed = changedRule(phrase, { before, after })
  return (
    <ValueNames names={(after ?? before)?.variant_names}>
      <li className={classes.phrase}>
        <span className={classes.sign} data-kind={kind} aria-hidden="true">
          <Icon size={13} stroke={2.2} />
        </span>
        <div className={classes.text}>
          {changed ? (
            <>
              {capitalize(changed.title)} <RuleSentence rule={changed.rule} flag_type={flag_type} />
            </>
          ) : (
            formatPhrase(phrase)
          )}
          {isNew && /^\d+ rules?$/.test(phrase) && <NewRules rules={after.rules} flag_type={flag_type} />}
        </div>
      </li>
    </ValueNames>
  )
}

const NEW_RULES_SHOWN = 10

/** The rules of a flag that was not there before. */
function NewRules({
  rules,
  flag_type,
}: {
  readonly rules: Flag['rules']
  readonly flag_type: Flag['flag_type'] | null
}) {
  return (
    <ol className={classes.rules}>
      {rules.slice(0, NEW_RULES_SHOWN).map((rule, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rules have no other identity
        <li key={index}>
          <RuleSentence rule={rule} flag_type={flag_type} />
        </li>
      ))}
    </ol>
  )
}
