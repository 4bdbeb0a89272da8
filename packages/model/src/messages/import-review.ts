import { formatCount, visibleText } from '../display.ts'

/** Sentences of the review of an import, by server and page. */
export const reviewTexts = {
  leftOut: (entities: number, attributes: number, relationships: number) =>
    `Left out as chosen: ${[
      counted(entities, 'entity', 'entities'),
      counted(attributes, 'attribute', 'attributes'),
      counted(relationships, 'relationship', 'relationships'),
    ].join(', ')}. The other counts are those of the whole file.`,
  ended: 'The review has ended. Review the file again.',
  read: 'The file was read. Nothing is imported yet.',
  discarded: 'The review has ended. Nothing was imported.',
  tooMany: 'Too many imports are under review in this organisation. Try again later.',
  unknownEntity: (index: number) => `The file has no entity ${index}.`,
  nothingLeft: 'All entities are left out.',
  otherState: 'The entities of the manifest are others than in the review. Look at the review again.',
  mostInto: (most: number) => `At most ${formatCount(most)} entities are imported into an existing manifest at once.`,
  tooManyInto: (most: number): string => `${reviewTexts.mostInto(most)} Leave some out.`,
  tooLargeInto: 'These entities have too many columns for one import into an existing manifest. Leave some out.',
  enumeration: (name: string, isNew: boolean, values: readonly string[]) => {
    const listed = values.slice(0, 20).map(value => visibleText(value.slice(0, 120)))
    const rest = values.length > listed.length ? `, and ${formatCount(values.length - listed.length)} more` : ''
    return `${isNew ? 'Added the enumeration' : 'Added values to the enumeration'} ${visibleText(name)}: ${listed.join(', ')}${rest}.`
  },
  into: (
    manifest: string,
    { created, changed, same, enumerations }: Readonly<Record<'created' | 'changed' | 'same' | 'enumerations', number>>,
  ) =>
    `Imported into '${visibleText(manifest)}': ${[
      `${formatCount(created)} added`,
      `${formatCount(changed)} changed`,
      `${formatCount(same)} as before`,
      ...(enumerations === 0 ? [] : [`${counted(enumerations, 'enumeration', 'enumerations')} added or extended`]),
    ].join(', ')}.`,
} as const

export function counted(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

/** Texts of the review in the dialog. */
export const reviewDialogTexts = {
  step: 'Review',
  into: 'Import into',
  newManifest: 'New Manifest',
  existingManifest: 'Existing Manifest',
  manifest: 'Manifest',
  noManifest: 'Select the manifest.',
  reading: 'The entities of the manifest are still being read.',
  forAll: 'Entities that exist',
  forOne: 'It exists already',
  existsBy: { uid: 'It is the same entity.', name: 'It has the same name.' },
  choices: { merge: 'Merge', replace: 'Replace', beside: 'Keep Both', skip: 'Skip' },
  choiceHints: {
    merge: 'What the file says changes it; what only it has stays.',
    replace: 'It becomes what the file says; what only it has goes.',
    beside: 'It stays; the one of the file gets a free name.',
    skip: 'It stays as it is.',
  },
  existing: 'Existing',
  other: 'Other',
  tree: 'What is imported',
  search: 'Search entities',
  filter: 'Which entities',
  all: 'All',
  withFindings: 'With losses',
  noneShown: 'No entity fits the search.',
  shownFirst: (count: number) => `The first ${formatCount(count)} entities are shown; the others are imported too.`,
  chosen: (chosen: number, all: number) => `${formatCount(chosen)} of ${counted(all, 'entity', 'entities')} chosen`,
  checking: 'Checking what exports would refuse…',
  toMend: (count: number) =>
    count === 0 ? 'Nothing to mend before an export.' : `${formatCount(count)} to mend before an export.`,
  totals: 'Counts',
  columns: { thing: 'In the file', read: 'Read', imported: 'Imported', listed: 'Not imported' },
  findings: 'Findings',
  none: 'Nothing is lost or changed.',
  elsewhere: 'What is lost or changed is listed at the entities.',
  more: (count: number) => `${formatCount(count)} more in the report of the import.`,
  choose: 'Import',
  leaveOut: 'Leave Out',
  nothingChosen: 'Choose at least one entity.',
  kinds: { problem: 'To mend before an export', lost: 'Lost', changed: 'Changed', note: 'Note', read: '' },
} as const
