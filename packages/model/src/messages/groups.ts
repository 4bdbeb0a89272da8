import { visibleText } from '../display.ts'
import { limits } from '../limits.ts'

/** Texts of groups of columns. */
export const groupTexts = {
  tooFew: 'A group needs at least two attributes.',
  tooMany: `A group has at most ${limits.groups.members} attributes.`,
  twice: (name: string) => `'${short(name)}' is in the group twice.`,
  unknown: (name: string) => `There is no attribute '${short(name)}'.`,
  object: (name: string) => `'${short(name)}' is an object: it cannot be in a group.`,
  sameUnique: 'These attributes are unique together already.',
  sameIndex: 'There is an index of these attributes in this order already.',
  sameKey: 'The key has an order already.',
  notTheKey: 'A key group lists exactly the attributes of the key.',
  descending: 'Only attributes of an index have a descending order.',
  name: `this must be at most ${limits.groups.name} characters long, without line breaks.`,
  sameName: (name: string) => `A group with the name "${short(name)}" already exists.`,
  /** Of a problem in a group. */
  inGroup: (group: string, message: string) => `Group '${short(group)}': ${message}`,
  kinds: { unique: 'unique together', index: 'index', key: 'key order' },
  property: 'Groups',
  labels: { unique: 'Unique together', index: 'Index', key: 'Key order' },
  meanings: {
    unique: 'No two records have the same values in all of them. Records that lack one of the values do not count.',
    index: 'Databases find records quickly by their values, in this order.',
    key: 'The order of the attributes in the primary key.',
  },
  none: 'No attributes are unique or indexed together.',
  add: 'Add Group',
  addTitle: 'New Group',
  editTitle: 'Group',
  deletion: 'Delete Group',
  uniqueTogether: 'Unique Together',
  indexTogether: 'Index Together',
  /** Of a deletion. */
  losing: (groups: string) => `Groups that change: ${groups}. A group left with one attribute goes.`,
  nameHint: 'The name of the constraint or index in databases. Empty: an automatic name.',
  addAttribute: 'Add Attribute',
  allAdded: 'All attributes are in the group.',
  inherited: (name: string) => `${name} (inherited)`,
  inheritedFrom: (entity: string) => `Inherited from ${visibleText(entity)}`,
  inheritedUnread: 'The inherited groups could not be read.',
  movedTo: (name: string, position: number, count: number) =>
    `${visibleText(name)} is now at position ${position} of ${count}.`,
  added: (kind: 'unique' | 'index', names: string) =>
    `${visibleText(names)} ${kind === 'unique' ? 'are now unique together' : 'have an index now'}.`,
  descendingMember: (name: string) => `${name} descending`,
} as const

function short(name: string): string {
  const text = visibleText(name)
  return text.length <= 120 ? text : `${text.slice(0, 119)}…`
}
