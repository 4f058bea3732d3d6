import { UnstyledButton } from '@mantine/core'
import { IconStar, IconStarFilled } from '@tabler/icons-react'
import classes from './favorite-star.module.css'

interface FavoriteStarProps {
  readonly flag_key: string
  readonly isFavorite: boolean
  readonly tabIndex: number
  readonly onFavorite: (key: string, isFavorite: boolean) => void
}

/** Marks a flag as a favorite of the person. An empty star is seen on the row in use only. */
export const FavoriteStar = ({ flag_key, isFavorite, tabIndex, onFavorite }: FavoriteStarProps) => (
  <UnstyledButton
    className={classes.star}
    aria-pressed={isFavorite}
    aria-label={`Favorite ${flag_key}`}
    tabIndex={tabIndex}
    onClick={() => onFavorite(flag_key, !isFavorite)}
  >
    {isFavorite ? <IconStarFilled size={14} /> : <IconStar size={14} />}
  </UnstyledButton>
)
