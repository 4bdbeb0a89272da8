/** The order of a migration, in which each phase finds what it needs. */
export const phases = [
  'tests',
  'data',
  'foreignKeysOff',
  'keysOff',
  'renames',
  'columns',
  'types',
  'rewrites',
  'tables',
  'keys',
  'foreignKeys',
  'drops',
  'comments',
] as const
export type Phase = (typeof phases)[number]

/** What there is after a statement that a broken-off script has already run. */
export type Witness =
  | { readonly kind: 'table' | 'noTable'; readonly table: string }
  | {
      readonly kind: 'index' | 'noIndex' | 'foreignKey' | 'noForeignKey'
      readonly table: string
      readonly name: string
    }
  /** The statement also marks the table. */
  | { readonly kind: 'mark'; readonly table: string }

/** A statement, without semicolon. */
export type Action = {
  readonly phase: Phase
  readonly sql: string
  /** The entity whose table is changed. */
  readonly entity: string
  /** Null: the statement can be run again. */
  readonly witness: Witness | null
  /** Whether it changes records: it is rolled back if it is broken off. */
  readonly isData?: true
}
