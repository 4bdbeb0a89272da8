import { formatCount } from './format-count.ts'

/** Texts about drafts, the unsaved changes stored in the browser. */
export const draftTexts = {
  draftRestored: (count: string, when: string) => `Restored draft: ${count} from ${when}, not saved yet.`,
  secretsNotStored: 'Passwords and secrets are not stored in the browser: enter them again.',
  logoutDiscards: 'Logging out discards them, in every tab of this browser:',
  draftsForgotten:
    'You logged out in another tab: unsaved changes are no longer stored in this browser. Save them before you leave this page.',
  inOrganisation: (name: string, organisation: string) => `${name} in ${organisation}`,
  severalDrafts: (name: string, count: number) => `${name} (${formatCount(count)} drafts)`,
  draftWaits: (name: string) =>
    `More unsaved changes of ${name || 'this document'} conflict with those shown. They reappear once these are saved, or when the page is reloaded.`,
  draftsUnreadable: (names: readonly string[]) =>
    `Unsaved changes of ${listed(names)} cannot be read by this version of Cadmus. They remain stored in this browser.`,
  /** Concurrent changes of the same field, by others or by the user. */
  changedByOthers: {
    message: 'Someone else changed the same fields. Your changes are not lost.',
    mine: 'Yours',
    theirs: 'Theirs',
    keepMine: 'Keep mine',
    takeTheirs: 'Take theirs',
  },
  changedInOtherTab: {
    message: 'You changed the same fields elsewhere, such as in another tab. Nothing is lost.',
    mine: 'Here',
    theirs: 'Elsewhere',
    keepMine: 'Keep these',
    takeTheirs: 'Take the others',
  },
  youInOtherTab: 'You, elsewhere',
  /** Drafts of a deleted document. `who` and `when` are '' if unknown. */
  deletedRemotely: (name: string) => `${name} has been deleted.`,
  inputOfDeletedRow: (name: string) =>
    `Someone else deleted ${name}. It stays here with your input as an unsaved change.`,
  deleted: {
    what: (name: string, who: string, when: string) =>
      who === '' ? `${name} was deleted.` : `${name} was deleted by ${who} on ${when}.`,
    version: (name: string, version: string) => `Version ${version} of ${name} was deleted.`,
    unsavedChanges: (count: number) =>
      count === 1 ? 'Your unsaved change is still here.' : `Your ${formatCount(count)} unsaved changes are still here.`,
    locked: 'It was deleted. Save it as new to continue editing.',
    configurationLocked: 'Its manifest was deleted. Export it as JSON to keep it.',
    withoutSecrets: 'The export omits passwords and secrets.',
    saved: (name: string) => `Saved ${name} as a new entity.`,
    discardTitle: 'Discard Changes?',
    discard: (name: string) => `${name} was deleted: your changes exist only here.`,
    manifestGone: (name: string) => `The manifest ${name} was deleted too. Choose another one.`,
  },
} as const

const listedAtMost = 5

/** 'A, B and 3 more' */
function listed(names: readonly string[]): string {
  const all = [...new Set(names)]
  const more = all.length - listedAtMost
  if (more > 0) return `${all.slice(0, listedAtMost).join(', ')} and ${formatCount(more)} more`
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1) ?? ''}`
}
