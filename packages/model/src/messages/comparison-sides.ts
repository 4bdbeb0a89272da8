import { formatCount, visibleText } from '../display.ts'

/** Texts about states that cannot be compared or taken over. */
export const comparisonSideTexts = {
  missingTarget: (entity: string) => `${visibleText(entity)} does not exist now. Without it this cannot be taken over.`,
  tooLarge: (megabytes: number, limit: number) =>
    `These states are too large to compare: together they have ${formatCount(megabytes)} MB, the limit is ${limit} MB.`,
  tooManyEdits: 'These drafts have too many edits. Save them first.',
  longName: (limit: number) => `A name in these drafts has more than ${formatCount(limit)} characters.`,
} as const
