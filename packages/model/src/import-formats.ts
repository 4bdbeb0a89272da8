/**
 * The formats of the file of a manifest: `importAs` of the call and the choice of the dialog, the default first. `extensions`: of
 * the file. `isSql`: scripts of a database, which can be chosen.
 */
export const importKinds = [
  {
    wireName: 'CDM_SCHEMA',
    label: 'CDM Schema',
    hint: 'A folder of CDM documents, or an exported data model.',
    extensions: ['.zip'],
    isSql: false,
  },
  {
    wireName: 'DATABASE_STRUCTURE',
    label: 'Database Schema',
    hint: 'SQL scripts that create tables, exported by this console or by database tools.',
    extensions: ['.zip', '.sql', '.ddl', '.txt', '.dump', '.gz'],
    isSql: true,
  },
] as const satisfies readonly {
  wireName: string
  label: string
  hint: string
  extensions: readonly string[]
  isSql: boolean
}[]

export type ImportKind = (typeof importKinds)[number]['wireName']

export type ImportKindRow = (typeof importKinds)[number]

export function importKindOf(kind: ImportKind): ImportKindRow {
  return importKinds.find(({ wireName }) => wireName === kind) ?? importKinds[0]
}
