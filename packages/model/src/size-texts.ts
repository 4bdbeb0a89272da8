import { limits } from './limits.ts'

/** What is said of texts that have no end. */
export const sizeTexts = {
  target: `Each text of another target can have up to ${limits.targetText} characters.`,
  entity: `What an entity holds in all can have up to ${limits.entityContent} characters.`,
} as const
