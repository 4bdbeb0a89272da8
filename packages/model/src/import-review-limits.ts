/**
 * Imports under review: of a user, characters of all in an organisation, lifetime, entities or findings in an answer, and entities of one
 * into an existing manifest, which is one transaction. Apart from the other limits, which the page loads first.
 */
export const reviewLimits = {
  ofUser: 3,
  characters: 512 * 1024 * 1024,
  lifetime: 60 * 60 * 1000,
  page: 1000,
  into: 1000,
} as const
