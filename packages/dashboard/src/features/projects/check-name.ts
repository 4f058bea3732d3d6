import { NAME_MAX_LENGTH } from '@burgee/contract'

/** What is wrong with the name of a project; empty where it fits. */
export function checkName(name: string): string {
  if (name.trim() === '') return 'Give it a name.'
  return name.length > NAME_MAX_LENGTH ? `At most ${NAME_MAX_LENGTH} characters.` : ''
}
