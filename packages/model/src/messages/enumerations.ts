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
  valuesHint: 'Paste lines, or values and labels from a spreadsheet. Enter goes on, Alt+↑ and Alt+↓ move a value.',
  valueOf: (at: number) => `Value ${formatCount(at)}`,
  labelOf: (at: number) => `Label ${formatCount(at)}`,
  movedTo: (value: string, at: number, count: number) =>
    `${visibleText(value)} is now value ${formatCount(at)} of ${formatCount(count)}.`,
  faultIn: (at: number, message: string) => `Value ${formatCount(at)}: ${message}`,
  moreFaults: (count: number) => `${formatCount(count)} more cannot be saved.`,
  longValue: `A value has at most ${formatCount(enumerationLimits.value)} characters.`,
  label: `A label has at most ${formatCount(enumerationLimits.label)} characters, without line breaks.`,
  description: `A description has at most ${formatCount(enumerationLimits.description)} characters.`,
  noValues: 'An enumeration needs a value.',
  name: `this must have at most ${enumerationLimits.name} characters, without line breaks.`,
  exists: (name: string) => `An enumeration with the name "${visibleText(name)}" already exists.`,
  tooMany: `A manifest has at most ${enumerationLimits.max} enumerations.`,
  tooManyValues: `An enumeration has at most ${formatCount(enumerationLimits.values)} values.`,
  inEnumeration: (name: string, message: string) => `Enumeration '${visibleText(name.slice(0, 120))}': ${message}`,
  isDefault: (value: string, attribute: string) =>
    `'${visibleText(value)}' is the default value of '${visibleText(attribute)}': choose another one there first.`,
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
