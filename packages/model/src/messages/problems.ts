import { formatCount, visibleText } from '../display.ts'
import { problemTexts } from './values.ts'

type Counts = { errors: number; warnings: number }

/** Texts of the live problems of a manifest: status bar, list and repairs. */
export const liveProblemTexts = {
  tab: 'Problems',
  /** '3 errors · 12 warnings'; only what there is. */
  counts: ({ errors, warnings }: Counts) => {
    const parts = [errors > 0 && problemTexts.error(errors), warnings > 0 && problemTexts.warning(warnings)]
    return parts.filter(Boolean).join(' · ') || liveProblemTexts.none
  },
  none: 'No problems',
  hint: (manifest: string) => `Problems of ${visibleText(manifest)} with your unsaved changes`,
  chooseManifest: 'Problems of a manifest',
  checking: 'Checking…',
  unknown: 'Problems are not known',
  notRead: 'Could not read the problems.',
  frozen: 'These are the problems of the latest version.',
  search: 'Filter problems',
  severities: { label: 'Severity', all: 'All' },
  list: (manifest: string) => `Problems of ${visibleText(manifest)}`,
  noMatch: 'No problem matches the filter.',
  more: (count: number) =>
    count === 1 ? '1 more problem is not listed.' : `${formatCount(count)} more problems are not listed.`,
  at: (number: number, count: number, message: string) =>
    `${formatCount(number)} of ${formatCount(count)}: ${visibleText(message)}`,
  next: 'Next Problem',
  previous: 'Previous Problem',
  fix: 'Quick Fix',
  open: 'Go to the Place',
  noFix: 'There is no quick fix for this problem.',
  noProblemHere: 'There is no problem here.',
  fixed: (count: number, documents: number) => {
    const solved = count === 1 ? 'Fixed 1 problem' : `Fixed ${formatCount(count)} problems`
    return documents === 1
      ? `${solved}. It is not saved yet.`
      : `${solved} in ${formatCount(documents)} documents. They are not saved yet.`
  },
  left: (count: number) => (count === 1 ? '1 is left.' : `${formatCount(count)} are left.`),
  lockedSince: (count: number) =>
    count === 1 ? '1 document cannot be changed.' : `${formatCount(count)} documents cannot be changed.`,
  nothingFixed: 'Nothing was fixed: the documents have changed.',
} as const
