/**
 * Effect of a step of a migration on a database in use. `safe`: does not touch records. `locks`: reads or indexes the records of a table,
 * whose writers wait. `rewrites`: writes all records of a table anew. `mayFail`: some records can prevent it. `losesData`: deletes data.
 */
export const migrationGrades = ['safe', 'locks', 'rewrites', 'mayFail', 'losesData'] as const
export type MigrationGrade = (typeof migrationGrades)[number]

/** From `before` to `after`, or back. */
export const migrationDirections = ['up', 'down'] as const
export type MigrationDirection = (typeof migrationDirections)[number]

/** Names of script files. */
export const migrationNamings = ['plain', 'flyway'] as const
export type MigrationNaming = (typeof migrationNamings)[number]
