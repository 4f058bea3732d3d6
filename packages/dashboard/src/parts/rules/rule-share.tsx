import { Anchor, CloseButton, Group, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Bucketing } from '../weights/bucketing.tsx'
import { ShareInput, shareOf } from '../weights/share-input.tsx'
import { RULE_DESCRIPTION_MAX } from './rule-description.ts'
import type { RuleFormProps } from './rule-form-props.ts'
import classes from './rules.module.css'
import { setRuleFields } from './set-rule-fields.ts'

const FIRST_SHARE = 50

/** The share of those who match for which the rule counts, and a note. Closed for rules that have neither. */
export function RuleShare(props: RuleFormProps) {
  const { rule, onChange, isReadOnly, flag_type } = props
  const [isOpen, setOpen] = useState(false)
  const share = shareOf(rule)
  const isSet = share !== null || rule.bucket_by !== undefined || rule.description !== undefined
  if (flag_type === null) return null
  if (!isOpen && !isSet) {
    if (isReadOnly) return null
    return (
      <Anchor component="button" type="button" size="xs" c="dimmed" onClick={() => setOpen(true)}>
        Share, division and note
      </Anchor>
    )
  }
  return (
    <div className={classes.share}>
      {share === null ? (
        <Anchor
          component="button"
          type="button"
          size="sm"
          onClick={() => onChange({ ...rule, rollout_percentage: FIRST_SHARE })}
        >
          Only for a share of those who match
        </Anchor>
      ) : (
        <ShareLine {...props} share={share} />
      )}
      <Bucketing
        bucketing={rule}
        onChange={(fields) => onChange(setRuleFields(rule, fields))}
        attributes={props.attributes}
        problemOf={(field) => props.problemOf(`/${field}`)}
        isReadOnly={isReadOnly}
      />
      <TextInput
        label="Note"
        placeholder="Why the rule is there"
        maxLength={RULE_DESCRIPTION_MAX}
        value={rule.description ?? ''}
        onChange={({ currentTarget }) =>
          onChange(setRuleFields(rule, { description: currentTarget.value || undefined }))
        }
        error={props.problemOf('/description')}
        readOnly={isReadOnly}
      />
    </div>
  )
}

function ShareLine({
  rule,
  onChange,
  problemOf,
  isReadOnly,
  share,
}: RuleFormProps & { readonly share: number }) {
  const clear = () =>
    onChange(setRuleFields(rule, { rollout_percentage: undefined, rollout_thousandths: undefined }))
  return (
    <Group gap="xs" align="flex-start">
      <Text size="sm" pt={6}>
        Only for
      </Text>
      <ShareInput
        className={classes.percentage}
        label="Share of those who match"
        value={share}
        onChange={(fields) => onChange(setRuleFields(rule, fields))}
        error={problemOf('/rollout_percentage') ?? problemOf('/rollout_thousandths')}
        isReadOnly={isReadOnly}
      />
      <Text size="sm" pt={6}>
        of those who match
      </Text>
      {!isReadOnly && <CloseButton aria-label="Remove the share" onClick={clear} />}
    </Group>
  )
}
