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
  /** Patterns by which a script is recognized; of all databases, the one with the lowest number wins. Lookahead is bounded. */
  marks: readonly (readonly [order: number, pattern: RegExp])[]
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
