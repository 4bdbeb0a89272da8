import { limits } from '../limits.ts'

/** Texts about personal access tokens, for the server and the page. */
export const tokenTexts = {
  exists: (name: string, organisation: string | null) =>
    organisation === null
      ? `An access token with the name "${name}" already exists.`
      : `An access token with the name "${name}" already exists in the organisation ${organisation}.`,
  limitReached: (has: number) =>
    `A user has at most ${limits.token.maxCount} access tokens in an organisation; you have ${has}. Revoke one first.`,
  expiryPast: 'The expiry must be in the future.',
  expiryLate: 'An access token expires within a year.',
} as const
