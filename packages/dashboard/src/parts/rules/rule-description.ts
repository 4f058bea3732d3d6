/** The characters of a rule's note; a unit test compares it with the contract. */
export const RULE_DESCRIPTION_MAX = 200
