/** The formats of the zip of a manifest: `importAs` of the call and the choice of the dialog, the default first. */
export const importKinds = [
  {
    wireName: 'CDM_SCHEMA',
    label: 'CDM Schema',
    hint: 'A folder of CDM documents, or an exported data model.',
  },
  {
    wireName: 'DATABASE_STRUCTURE',
    label: 'Database Schema',
    hint: 'SQL scripts that create tables, exported by this console or by database tools.',
  },
] as const satisfies readonly { wireName: string; label: string; hint: string }[]

export type ImportKind = (typeof importKinds)[number]['wireName']
