import { formatCount, visibleText } from '../display.ts'

/** Texts of the diagram of a comparison. */
export const comparedDiagramTexts = {
  label: (manifest: string) => `${visibleText(manifest)} (comparison)`,
  notRead: 'The comparison could not be read.',
  locked: 'A comparison cannot be changed.',
  whole: 'All Entities',
  onlyDifferences: 'Only Differences',
  noDifferences: 'There is no difference.',
  noneShown: 'No difference is shown.',
  counts: {
    added: (count: number) => `${formatCount(count)} added`,
    removed: (count: number) => `${formatCount(count)} removed`,
    changed: (count: number) => `${formatCount(count)} changed`,
  },
  /** The difference that is shown next. */
  at: (name: string, mark: string, { at, of }: { at: number; of: number }) =>
    `${visibleText(name)}, ${mark}, ${formatCount(at)} of ${formatCount(of)}`,
  openDifferences: 'Open Differences',
} as const
