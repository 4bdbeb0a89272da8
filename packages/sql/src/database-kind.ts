import type { Dialect } from './dialect.ts'
import type { QueryDialect } from './queries/dialect.ts'

/** The capabilities of a database. Those that are missing here are not offered for it. */
export type DatabaseKind = {
  /** Reserved words in lower case, from the manual; needed for exports. */
  reserved?: ReadonlySet<string>
  /** Schemas are exported. */
  export?: Dialect
  /** Scripts of its tools are imported. */
  read?: ScriptDialect
  /** Packages are built for it. */
  package?: PackageDialect
  /** Instances run packages on it. */
  run?: RunDialect
}

export type ScriptDialect = {
  /**
   * Phrases by which a script is recognized, with their weights. The parts of a phrase are separated by spaces: words
   * in capitals, signs, `0` for any number, `*` for any word or name, the quote of a quoted name, and for a text its
   * beginning after an apostrophe (`''`, `'"`, `'$`, `'N'`). `<start>`, `<element>` and `<type>` precede the beginning
   * of a statement and of a table's element, and the type of a column.
   */
  marks: readonly (readonly [weight: number, ...phrases: string[]])[]
  /** The schema of names without one. */
  usualSchema?: string
  /** Words that begin a line for a command-line tool. */
  lineCommands?: ReadonlySet<string>
  /** Marks scripts in which every line is a statement. */
  byLines?: RegExp
}

export type PackageDialect = {
  /** Class of the JDBC driver. */
  driver: string
  /** Skips rows; the platform limits their number. */
  offset: string
}

export type RunDialect = {
  /** SQL dialect of the instance's tables. */
  dialect: Dialect
  queries: QueryDialect
  /** Whether changes of tables can be rolled back. */
  isTransactional: boolean
  /** Whether constraints of all tables have one namespace. */
  sharesConstraintNames: boolean
}

export function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/))
}
