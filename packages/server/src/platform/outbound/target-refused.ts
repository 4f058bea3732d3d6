/** Thrown for an address that must not be reached. `message` continues "the host ...". */
export class TargetRefused extends Error {}
