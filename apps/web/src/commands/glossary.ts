import { firstWords } from './first-words.ts'

/** The only explanations of the specification's words, by label or value; shown as tooltips. */
const glossary = {
  'Type Attribute': 'A column of the entity, with its data type and the rules for its values.',
  'Type Attributes': 'The columns of the entity, without the foreign keys.',
  Relationship: 'A foreign key to another entity.',
  'Entity Attribute': 'A relationship: a foreign key to another entity.',
  Relationships: 'The foreign keys of the entity, each to another entity.',
  'Extended Attributes': 'The attributes inherited from the extended entity, where they are edited.',
  Purpose: 'The role of the attribute: identifiedBy makes it the primary key, hasA an ordinary value.',
  'Foreign Key Purpose': 'The role of the foreign key in the entity: hasA makes it an ordinary value.',
  'Trait Reference': 'The trait of the Common Data Model that states the meaning of the relationship.',
  'Foreign Key Type Attribute': 'The attribute of this entity that holds the key of the other one.',
  'Foreign Key Data Type': 'The data type of the foreign key: that of the attribute to which it refers.',
  'Associated Entity': 'The entity to which the foreign key refers.',
  References: 'The attribute of another entity to which the foreign key refers.',
  'Target Entity Attribute': 'The attribute of the other entity to which the foreign key refers.',
  'On Delete': 'What happens to a record when the record it refers to is deleted.',
  Format:
    'Narrows the data type, such as a string to a guid, or a dateTime to an instant (with an offset) or a local time.',
  Precision: 'How many decimal digits a number has. An integer has a precision or a format.',
  'Primary Key': 'The attribute that identifies a record. Its purpose is identifiedBy.',
  Enumeration: 'A named list of values of the manifest, from which the choices are taken.',
  Groups: 'Attributes that are unique or indexed together, and the order of the key.',
  Checks: 'Conditions that every record meets, such as price >= 0.',
  Extends: 'The entity from which this one inherits attributes.',
  'Select Scopes': 'Reading a single record requires one of these scopes.',
  'Select All Scopes': 'Reading the list of records requires one of these scopes.',
  'Insert Scopes': 'Creating a record requires one of these scopes.',
  'Update Scopes': 'Changing a record requires one of these scopes.',
  'Delete Scopes': 'Deleting a record requires one of these scopes.',
  hasA: 'An ordinary value.',
  identifiedBy: 'The primary key.',
  instant: 'A moment, the same everywhere: sent with an offset, answered in UTC.',
  local: 'The date and time of a clock on the wall, without an offset.',
  fixed: 'A text of exactly as many characters as its max length, such as a code of three letters.',
  single: 'Single precision: about seven decimal digits, in half the room.',
  literal: 'A new record without a value gets the default value, if there is one.',
  now: 'A new record without a value gets the time at which it is stored.',
  today: 'A new record without a value gets the day on which it is stored.',
  uuid: 'A new record without a value gets a random UUID.',
  EXCLUSIVE: 'Belongs to this manifest alone and is edited here.',
  TEMPLATE: 'Shared by manifests and read-only. Extend it, or add it to a manifest to get a copy of its own.',
  CADMUS: 'Stands for the users of the identity provider and is read-only.',
  ...firstWords,
} as const

const words: ReadonlyMap<string, string> = new Map(Object.entries(glossary))

/** The explanation of a label or value; undefined if it has none. */
export function explain(word: string): string | undefined {
  return words.get(word)
}
