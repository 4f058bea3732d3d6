import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useTypedSearch } from '../scope/use-typed-search.ts'

interface SearchFieldProps {
  readonly label: string
  /** True if the label is above it, as in rows of labeled fields. */
  readonly isLabeled?: boolean
  readonly placeholder: string
  /** The search of the address. */
  readonly value: string
  readonly onChange: (text: string) => void
}

/**
 * The search of a list, which `/` leads to. The text is its own until typing pauses, so that the cursor
 * stays where it is.
 */
export function SearchField({ label, isLabeled = false, placeholder, value, onChange }: SearchFieldProps) {
  const search = useTypedSearch(value, onChange)
  return (
    <TextInput
      type="search"
      data-page-search
      {...(isLabeled ? { label } : { 'aria-label': label })}
      placeholder={placeholder}
      leftSection={<IconSearch size={16} />}
      value={search.text}
      onChange={(event) => search.type(event.currentTarget.value)}
      onBlur={search.storeNow}
      flex="1 1 200px"
      maw={360}
    />
  )
}
