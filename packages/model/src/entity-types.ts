/** CADMUS: external identities, that is users and groups of an instance's directory. */
export const entityTypes = ['TEMPLATE', 'EXCLUSIVE', 'CADMUS'] as const
export type EntityType = (typeof entityTypes)[number]
