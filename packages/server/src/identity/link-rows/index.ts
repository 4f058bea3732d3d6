export {
  addLink,
  countLinks,
  deleteLink,
  endLinks,
  type FoundLink,
  findLink,
  type LinkPurpose,
  replaceLink,
} from './queries.ts'
