import { KEY_MAX_LENGTH } from '@burgee/contract'

/** A key made of a name: `Which colour sells more?` gives `which-colour-sells-more`. Empty where nothing of it fits. */
export const suggestKey = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[^a-z0-9_]+/g, '-')
    .slice(0, KEY_MAX_LENGTH)
    .replace(/^-+|-+$/g, '')
