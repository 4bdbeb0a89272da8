/**
 * Limits against hostile folders, far above real ones: the largest in use (1,000 entities) has 60,000 resolved
 * attributes, six levels of inheritance and 3 million followed imports; all standard documents together (213 MB) have
 * 1.8 million lists and objects, at most 8,504 in one entity.
 */
export const bounds = {
  documentBytes: 64 * 1024 * 1024,
  documentContainers: 1_000_000,
  entityContainers: 200_000,
  containersInAll: 20_000_000,
  nameLength: 20_000,
  /** For formatted names: formats that repeat the name double its length with every step. */
  madeNameLength: 1_000,
  attributesPerEntity: 20_000,
  attributesInAll: 1_000_000,
  targetsPerEntity: 20_000,
  targetsInAll: 1_000_000,
  followedImports: 500_000_000,
  extendsDepth: 100,
  nestedGroups: 100,
  nestedMonikers: 100,
  expansions: 100,
  ordinals: 20,
  formerNames: 100,
  renameFormatLength: 200,
  offeredRoots: 100,
  /** Of an imported script, for the check that exports make: about 1 kB each in memory. */
  checkedColumns: 200_000,
  reportLines: 500_000,
  reportCharacters: 32 * 1024 * 1024,
} as const
