import { limits } from './limits.ts'

/** Texts about values beyond their maximum length. */
export const sizeTexts = {
  target: `Each text of another target can have at most ${limits.targetText} characters.`,
  entity: `The content of an entity can have at most ${limits.entityContent} characters.`,
} as const
