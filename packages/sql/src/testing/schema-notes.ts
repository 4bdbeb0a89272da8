import { newSchemaNotes, type SchemaNotes } from '../schema-notes.ts'

// For tests only.

/** The notes of a manifest, without a cache. */
export const schemaNotes: SchemaNotes = (...parameters) => newSchemaNotes()(...parameters)
