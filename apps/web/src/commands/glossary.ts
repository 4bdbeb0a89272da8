import { firstWords } from './first-words.ts'

/** The only explanations of the specification's words, by label or value. One sentence each, shown as a tooltip. */
const glossary = {
  'Type Attribute': 'A column of the entity, with its data type and the rules for its values.',
  'Type Attributes': 'The columns of the entity, without the foreign keys.',
  'Entity Attribute': 'A relationship: a foreign key to another entity.',
  Relationships: 'The foreign keys of the entity, each to another entity.',
  'Extended Attributes': 'The attributes that the entity inherits from the one it extends. They are edited there.',
  Purpose: 'What the attribute is for: identifiedBy makes it the primary key, hasA is an ordinary value.',
  'Foreign Key Purpose': 'What the foreign key is for: hasA is an ordinary value.',
  'Trait Reference': "The Common Data Model's name for what the relationship means.",
  'Target Entity Attribute': 'The attribute of the other entity to which the foreign key refers.',
  'On Delete': 'What happens to a record when the record it refers to is deleted.',
  Format: 'Narrows the data type, such as a string to a guid or a double to a decimal.',
  'Primary Key': 'The attribute that identifies a record. Its purpose is identifiedBy.',
  Extends: 'The entity from which this one inherits attributes.',
  'Select Scopes': 'A caller needs one of them to read one record.',
  'Select All Scopes': 'A caller needs one of them to read the list of records.',
  'Insert Scopes': 'A caller needs one of them to create a record.',
  'Update Scopes': 'A caller needs one of them to change a record.',
  'Delete Scopes': 'A caller needs one of them to delete a record.',
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
