import { IconHistory } from '@tabler/icons-react'
import { EmptyState } from '../../shared/ui/empty-state.tsx'

/** The page of an entry that is not in the log. */
export const NoSuchEntry = ({ id }: { readonly id: number }) => (
  <EmptyState icon={<IconHistory size={22} />} title={`There is no entry ${id}`}>
    The server may have dropped it, by its setting for old entries, or it belongs to another place.
  </EmptyState>
)
