import { newSchemaNotes, type SchemaNotes } from '../schema-notes.ts'

// For tests only.

/** The notes of a manifest that nobody looked at before. */
export const schemaNotes: SchemaNotes = (...asked) => newSchemaNotes()(...asked)
