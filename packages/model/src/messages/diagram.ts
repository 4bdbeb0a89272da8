import { formatCount, visibleText } from '../display.ts'

/** Texts about stored views and the rows of cards. */
export const storedViewTexts = {
  deleted: 'View Deleted Successfully.',
  exists: (name: string) => `There is already a view named ${visibleText(name)}.`,
  tooManyViews: (max: number) => `There are already ${max} views. Delete one first.`,
  tooManyPlacements: (max: number) => `A view can place at most ${formatCount(max)} entities.`,
  tooManyChanges: (max: number) => `One request can place at most ${formatCount(max)} entities.`,
  unknownRevision: 'The view has no such revision yet.',
  versionWithoutManifest: 'A version requires its manifest.',
  moreRows: (count: number) => `${formatCount(count)} more`,
}
