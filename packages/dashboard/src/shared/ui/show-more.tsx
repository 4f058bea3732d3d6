import { Button } from '@mantine/core'

interface ShowMoreProps {
  /** The name of the items, such as `requests`. */
  readonly noun: string
  readonly pages: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly fetchNextPage: () => Promise<unknown>
  }
}

/** Loads the next page of a list; nothing when there is none. */
export const ShowMore = ({ noun, pages }: ShowMoreProps) =>
  pages.hasNextPage && (
    <Button
      variant="default"
      fullWidth
      mt="sm"
      loading={pages.isFetchingNextPage}
      onClick={() => void pages.fetchNextPage()}
    >
      Show more {noun}
    </Button>
  )
