import type { Flag } from '@burgee/contract'
import { Anchor, Autocomplete, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'

type Fields = 'bucket_by' | 'rollout_salt' | 'variant_salt' | 'hash'
type BucketingFields = { readonly [Field in Fields]?: Flag[Field] | undefined }

interface BucketingProps {
  readonly bucketing: BucketingFields
  readonly onChange: (fields: BucketingFields) => void
  /** The attributes to choose from. */
  readonly attributes: readonly string[]
  readonly problemOf: (field: Fields) => string | undefined
  readonly isReadOnly: boolean
}

const SUGGESTIONS_MAX = 30

/** The attribute, hash and salts that divide users. Closed for those who need no more than the user key. */
export function Bucketing(props: BucketingProps) {
  const { bucketing, isReadOnly } = props
  const isSet = FIELDS.some((field) => bucketing[field] !== undefined)
  const [isOpen, setOpen] = useState(false)
  if (!isOpen && !isSet) {
    if (isReadOnly) return null
    return (
      <Anchor component="button" type="button" size="xs" mt="xs" onClick={() => setOpen(true)}>
        Divide by an attribute other than the user key
      </Anchor>
    )
  }
  return <BucketingForm {...props} />
}

const FIELDS = ['bucket_by', 'rollout_salt', 'variant_salt', 'hash'] as const

function BucketingForm(props: BucketingProps) {
  const { bucketing, onChange, attributes, problemOf, isReadOnly } = props
  const [isOpen, setOpen] = useState(false)
  const hasHash = ['hash', 'rollout_salt', 'variant_salt'] as const
  return (
    <Stack gap="xs" mt="sm" w="100%">
      <Autocomplete
        label="Divide by"
        description="The same value of this attribute always gets the same result, such as all users of a company."
        placeholder="The user key"
        data={[...attributes]}
        limit={SUGGESTIONS_MAX}
        value={bucketing.bucket_by ?? ''}
        onChange={(next) => onChange({ bucket_by: next || undefined })}
        error={problemOf('bucket_by')}
        readOnly={isReadOnly}
        spellCheck={false}
      />
      {isOpen || hasHash.some((field) => bucketing[field] !== undefined) ? (
        <HashFields {...props} />
      ) : (
        !isReadOnly && (
          <Anchor
            component="button"
            type="button"
            size="xs"
            c="dimmed"
            w="fit-content"
            onClick={() => setOpen(true)}
          >
            Use another hash or salt
          </Anchor>
        )
      )}
    </Stack>
  )
}

function HashFields({ bucketing, onChange, problemOf, isReadOnly }: BucketingProps) {
  const salt = (field: 'rollout_salt' | 'variant_salt', label: string) => (
    <TextInput
      label={label}
      placeholder="The flag’s own"
      value={bucketing[field] ?? ''}
      onChange={({ currentTarget }) => onChange({ [field]: currentTarget.value || undefined })}
      error={problemOf(field)}
      readOnly={isReadOnly}
      spellCheck={false}
    />
  )
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
      <Select
        label="Hash"
        data={HASH_CHOICES}
        value={bucketing.hash ?? 'murmur3'}
        onChange={(next) => {
          const chosen = HASH_CHOICES.find(({ value }) => value === next)?.value
          onChange({ hash: chosen === 'murmur3' ? undefined : chosen })
        }}
        allowDeselect={false}
        error={problemOf('hash')}
        readOnly={isReadOnly}
      />
      {salt('rollout_salt', 'Rollout salt')}
      {salt('variant_salt', 'Variant salt')}
    </SimpleGrid>
  )
}

const HASH_CHOICES: { value: NonNullable<Flag['hash']> | 'murmur3'; label: string }[] = [
  { value: 'murmur3', label: 'Burgee' },
  { value: 'launchdarkly', label: 'As LaunchDarkly' },
  { value: 'unleash_variant', label: 'As Unleash (variants)' },
  { value: 'growthbook_1', label: 'As GrowthBook, version 1' },
  { value: 'growthbook_2', label: 'As GrowthBook, version 2' },
  { value: 'configcat', label: 'As ConfigCat' },
  { value: 'go_feature_flag', label: 'As GO Feature Flag' },
]
