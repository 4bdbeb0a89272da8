import { formatCount, visibleText } from '../display.ts'

/** Texts about undo, redo and restoring of saved changes. */
export const historyTexts = {
  saved: (name: string, time: string) => `${name.replace(/\.$/, '')}, saved ${time}`,
  savedAll: (entities: number, configurations: number) => {
    const counts = [
      ...(entities > 0 ? [entities === 1 ? '1 entity' : `${formatCount(entities)} entities`] : []),
      ...(configurations > 0 ? [configurations === 1 ? '1 configuration' : `${configurations} configurations`] : []),
    ]
    return `${counts.join(' and ')} saved.`
  },
  nothing: { undo: 'There is nothing to undo.', redo: 'There is nothing to redo.' },
  /** Of a step in documents that may not be shown. */
  taken: (direction: 'undo' | 'redo', step: string, documents: readonly string[]) => {
    const place = documents.length === 1 ? visibleText(documents.join()) : `${documents.length} documents`
    return `${direction === 'undo' ? 'Undid' : 'Redid'} in ${place}, not saved yet: ${step}.`
  },
  busy: 'Wait until the document is saved.',
  changedSince: 'These fields have been changed since:',
  changedBy: (place: string, who: string, when: string) => `${place}, by ${who} at ${when}`,
  you: 'you',
  keepsTheirs: 'These values stay.',
  nothingLeft: 'Nothing else is left to undo in this step.',
  skip: 'Skip this step',
  takeRest: 'Take only the rest',
  stateMissing: 'The state before this change is no longer stored.',
  failed: 'The change could not be undone.',
  restore: 'Restore This',
  restoring: 'Restore from the log',
  restored: (name: string) => `Restored ${name}.`,
  undone: (name: string) => `Undid: ${name.replace(/\.$/, '')}.`,
  changes: (names: readonly string[]) => (names.length === 1 ? names.join() : `${names.length} changes`),
  creation: (kind: 'entity' | 'manifest', names: readonly string[]) =>
    names.length === 1 ? `new ${kind} ${names.join()}` : `${names.length} new entities`,
  tooLarge: (limit: number) =>
    `Undo deletes at most ${formatCount(limit)} entities at once. To take back this import, delete the manifest.`,
  notRestored: 'It could not be restored.',
  asBefore: 'It already is in this state.',
  nothingRestorable: 'Nothing can be restored.',
  alsoRestored: 'This is restored with it:',
  notRestorable: 'This cannot be restored:',
  keepsOthers: 'Restoring is a change of its own, which can be undone.',
  references: 'Columns that the restored state does not have are referred to.',
  title: (name: string) => `History of ${name}`,
  goHere: 'Go Back Here',
  repeat: 'Redo to Here',
  undoThis: 'Undo This',
  current: 'now',
  unsaved: 'not saved',
  undoneNote: 'undone',
  following: 'followed from another document',
  cause: { undo: 'Undo', redo: 'Redo', restore: 'Restored', merge: 'Merged' },
  noHistory: 'No changes yet.',
  earlier: 'Earlier changes are in the Audit Logs.',
} as const

/** Why a part of a change cannot be restored. */
export const restoreTexts = {
  exists: (name: string) => `${name} exists: it was not deleted, or has been restored.`,
  otherIdentity: (name: string) => `${name} now has the identity of the deleted one.`,
  noState: 'The state of this entry is no longer stored.',
  notRestorable: 'This entry holds no state to restore.',
  stillDeleting: 'The entities of this manifest are still being deleted. Try again in a moment.',
  tooMany: (limit: number, count: number) =>
    `A manifest can be restored with at most ${limit} of its entities; it had ${count}.`,
  manifestGone: 'Its manifest no longer exists; it is restored without one.',
  renamed: (name: string, now: string) => `The name ${name} is in use; it is restored as ${now}.`,
  membership: (manifest: string, reason: string) => `It does not return to manifest ${manifest}: ${reason}`,
  nameInUse: 'the name is in use there.',
  gone: (what: string) => `${what} no longer exists.`,
  changedSince: (name: string) => `${name}: it has been changed since, so its references are not restored.`,
  refused: (name: string, reason: string) => `${name}: ${reason}`,
  restored: (name: string, what: string) => `${name}: ${what}`,
  target: (column: string, entity: string) => `Relationship ${column}: its entity ${entity} no longer exists.`,
  parent: (entity: string) => `It does not extend ${entity} again, which no longer exists.`,
  stays: (entity: string) => `${entity} was added since and stays.`,
  changedAndStays: (entity: string) => `${entity} has been changed since and stays.`,
  tooManyAdded: (limit: number) => `At most ${formatCount(limit)} added entities can be removed by Undo.`,
  adminOnly: (entity: string) => `${entity}: only administrators can add entities in place.`,
  subManifest: (name: string, reason: string) => `Sub-manifest ${name}: ${reason}`,
  manifestNameSince: (now: string) => `The manifest has been renamed to ${now} since; the name stays.`,
} as const
