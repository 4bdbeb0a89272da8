import { limits } from './limits.ts'

/** What is said of texts that have no end. */
export const sizeTexts = {
  target: `Each text of another target can have at most ${limits.targetText} characters.`,
  entity: `The content of an entity can have at most ${limits.entityContent} characters.`,
} as const
