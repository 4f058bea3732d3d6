export {
  addLink,
  countLinks,
  deleteLink,
  endLinks,
  type FoundLink,
  findLink,
  type LinkPurpose,
  pruneLinks,
  replaceLink,
} from './queries.ts'
