import { formatCount, visibleText } from '../display.ts'

const entities = (count: number) => (count === 1 ? '1 entity' : `${formatCount(count)} entities`)

/** At most five names. */
function listed(names: readonly string[]): string {
  return [...names.slice(0, 5), ...(names.length > 5 ? [`${formatCount(names.length - 5)} more`] : [])].join(', ')
}

/** Texts of the pane with the text of a model. */
export const paneTexts = {
  hide: 'Hide Text',
  close: 'Close Text',
  width: 'Width of the text',
  pane: (name: string) => `Text of ${visibleText(name)}`,
  editor: (name: string) =>
    `Text of ${visibleText(name)}. Tab indents; press Escape, then Tab, to leave the editor. F8 goes to the next fault.`,
  invitation: 'Paste tables in DBML or SQL, or type them:\nTable Patient {\n  id integer [pk]\n  name string(80)\n}',
  readSql: (database: string, lost: readonly string[], lines: number) =>
    [
      `Read as ${database}.`,
      ...new Set(lost.slice(0, 3)),
      ...(lines > Math.min(lost.length, 3) && lost.length > 0 ? ['Importing the script shows all notes.'] : []),
    ].join('\n'),
  sqlNotRead: 'The SQL could not be read.',
  states: {
    inStep: 'In step with the model.',
    typing: 'Typing…',
    faults: (count: number) =>
      count === 1
        ? '1 fault. The model stays unchanged until the text is correct.'
        : `${formatCount(count)} faults. The model stays unchanged until the text is correct.`,
    undecided: 'The model stays as it is until the names below are settled.',
    open: 'Applied, except for what stands below.',
  },
  behind: 'The model has changed in these lines. The text follows once it is correct.',
  leftOut: (name: string) =>
    `What was typed into the text of ${visibleText(name)} and not applied is left out: the model has changed in the same lines.`,
  copyUnapplied: 'Copy Text',
  faults: 'Faults of the text',
  fault: (line: number, message: string) => `Line ${line}: ${visibleText(message)}`,
  moreFaults: (count: number) => `${formatCount(count)} more`,
  doubt: (name: string, line: number) => `Which one is ${visibleText(name)} in line ${line}?`,
  isNew: 'A New One',
  added: (count: number) => `${entities(count)} of the text ${count === 1 ? 'is' : 'are'} new.`,
  create: (count: number) => (count === 1 ? 'Create Entity' : `Create ${formatCount(count)} Entities`),
  created: (count: number) => `Created ${entities(count)}.`,
  createdSome: (names: readonly string[], failed: string, reason: string) =>
    `${names.length === 0 ? 'Nothing was created' : `Created ${names.map(name => visibleText(name)).join(', ')}`}. ${visibleText(failed)} was refused: ${reason}`,
  createdElsewhere: 'New entities are created in the text of their manifest.',
  enumerations: ({ added, changed, deleted }: Record<'added' | 'changed' | 'deleted', readonly string[]>) =>
    `Enumerations to save: ${listed([
      ...added.map(name => `${visibleText(name)} (new)`),
      ...changed.map(name => visibleText(name)),
      ...deleted.map(name => `${visibleText(name)} (deleted)`),
    ])}.`,
  saveEnumerations: 'Save Enumerations',
  savedEnumerations: 'Saved the enumerations of the text.',
  missing: (names: readonly string[]) =>
    names.length === 1
      ? `${visibleText(names[0] ?? '')} is missing from the text.`
      : `${names.map(name => visibleText(name)).join(', ')} are missing from the text.`,
  remove: (name: string) => `Delete ${visibleText(name)}…`,
  putBack: 'Put Back',
  tooLarge: (count: number, most: number) =>
    `The manifest has ${entities(count)}. Its text is shown up to ${formatCount(most)}; each entity has a text of its own.`,
  tooManyLines: (count: number, most: number) =>
    `The manifest has ${formatCount(count)} attributes and relationships. Its text is shown up to ${formatCount(most)}; each entity has a text of its own.`,
  oldVersion: 'The text of a manifest is that of its latest version.',
  notRead: 'The text could not be read.',
  undo: 'Undo in the text',
  redo: 'Redo in the text',
  save: 'Save entities of the text',
  notSaved: (faults: number) =>
    `The text is not part of what was saved: it has ${faults === 1 ? '1 fault' : `${formatCount(faults)} faults`}.`,
  entitiesNotSaved: (names: readonly string[]) =>
    `${names.map(name => visibleText(name)).join(', ')}: not saved. The reason stands in the tab of the entity.`,
  nothing: {
    undo: 'Nothing of the text can be taken back. Saved steps are taken back in their entities.',
    redo: 'Nothing of the text can be made again.',
  },
} as const
