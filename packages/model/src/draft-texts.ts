import { grouped } from './grouped.ts'

/** What is said of unsaved changes that the browser keeps. */
export const draftTexts = {
  draftRestored: (count: string, when: string) => `Restored draft: ${count} from ${when}, not saved yet.`,
  secretsNotKept: 'Passwords and secret values are not kept in the browser: enter them again.',
  logoutDiscards: 'Logging out discards them, in every tab of this browser:',
  draftsForgotten:
    'You logged out in another tab, and your unsaved changes are no longer kept. Save what you want before you leave this page.',
  inOrganisation: (name: string, organisation: string) => `${name} in ${organisation}`,
  severalDrafts: (name: string, count: number) => `${name} (${grouped(count)} drafts)`,
  draftWaits: (name: string) =>
    `There are more unsaved changes of ${name || 'this document'}, which contradict those that are shown. They come back once these are saved, or when this page is loaded again.`,
  draftsUnreadable: (names: readonly string[]) =>
    `Unsaved changes of ${listed(names)} cannot be read by this version of Cadmus. They stay kept in this browser.`,
  /** What is said where a place was changed elsewhere too: by others, or by oneself only. */
  changedByOthers: {
    told: 'Somebody else changed the same fields meanwhile. Nothing of yours is lost.',
    mine: 'Yours',
    theirs: 'Theirs',
    keepMine: 'Keep mine',
    takeTheirs: 'Take theirs',
  },
  changedElsewhere: {
    told: 'You changed the same fields elsewhere meanwhile, as in another tab. Nothing of it is lost.',
    mine: 'Here',
    theirs: 'Elsewhere',
    keepMine: 'Keep what is here',
    takeTheirs: 'Take the other',
  },
  youElsewhere: 'You, elsewhere',
  /** What of a draft is said whose document somebody else deleted. `who` and `when` are '' where that is not known. */
  deletedMeanwhile: (name: string) => `${name} was deleted meanwhile.`,
  keptOfDeletedRow: (name: string) =>
    `${name} was deleted by somebody else meanwhile. It stays with what you typed as an unsaved change.`,
  deleted: {
    what: (name: string, who: string, when: string) =>
      who === '' ? `${name} was deleted.` : `${name} was deleted by ${who} on ${when}.`,
    version: (name: string, version: string) => `Version ${version} of ${name} was deleted.`,
    kept: (count: number) =>
      count === 1 ? 'Your unsaved change is still here.' : `Your ${grouped(count)} unsaved changes are still here.`,
    locked: 'It was deleted. Save it as new to go on editing.',
    configurationLocked: 'Its manifest was deleted. Export it as JSON to keep it.',
    withoutSecrets: 'Passwords and secret values are left out of what is exported.',
    saved: (name: string) => `Saved ${name} as a new entity.`,
    discardTitle: 'Discard Changes?',
    discard: (name: string) => `${name} was deleted: what you changed is kept nowhere else.`,
    manifestGone: (name: string) => `The manifest ${name} was deleted too. Choose another one.`,
  },
} as const

const listedAtMost = 5

/** 'A, B and 3 more' */
function listed(names: readonly string[]): string {
  const all = [...new Set(names)]
  const more = all.length - listedAtMost
  if (more > 0) return `${all.slice(0, listedAtMost).join(', ')} and ${grouped(more)} more`
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1) ?? ''}`
}
