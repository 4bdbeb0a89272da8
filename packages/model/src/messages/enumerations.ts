import { formatCount, visibleText } from '../display.ts'
import { enumerationLimits } from '../data-types.ts'

/** Texts of enumerations. */
export const enumerationTexts = {
  tab: 'Enumerations',
  add: 'Add Enumeration',
  addTitle: 'New Enumeration',
  editTitle: 'Enumeration',
  deletion: 'Delete',
  empty: 'No enumerations to display',
  hint: 'Values that attributes of this manifest’s own entities share: a change of them changes the choices of all.',
  lines: 'One value in each line, in their order.',
  noValues: 'An enumeration needs a value.',
  name: `this must have at most ${enumerationLimits.name} characters, without line breaks.`,
  exists: (name: string) => `An enumeration with the name "${visibleText(name)}" already exists.`,
  tooMany: `A manifest has at most ${enumerationLimits.max} enumerations.`,
  tooManyValues: `An enumeration has at most ${formatCount(enumerationLimits.values)} values.`,
  inEnumeration: (name: string, message: string) => `Enumeration '${visibleText(name.slice(0, 120))}': ${message}`,
  saved: (name: string) => `Saved ${visibleText(name)}.`,
  deleted: (names: string) => `Deleted ${visibleText(names)}.`,
  question: (names: string) => `Delete ${visibleText(names)}?`,
  unused: 'No attribute uses it.',
  usedBy: (names: string) => `Used by ${visibleText(names)}. Their attributes keep the choices.`,
  more: (count: number) => `${formatCount(count)} more`,
  failed: 'The enumerations could not be saved.',
  changed: 'Changed enumerations.',
  followed: (name: string) => `Changed choices with the enumeration ${name}.`,
} as const
