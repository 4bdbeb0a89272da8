import { apiBreakTexts } from '@cadmus/model/messages/packages'

/** Limit of a side's problems. */
export const maxProblems = 3

/** At most so many lines; then the number left out. */
export function bounded(list: readonly string[], max: number): string[] {
  return list.length <= max ? [...list] : [...list.slice(0, max), apiBreakTexts.more(list.length - max)]
}
