/** What a manifest is exported as. ENTITY_GLOOP_MODEL is the data model. */
export const exportTypes = ['DB_STRUCTURE', 'CDM_SCHEMA', 'ENTITY_GLOOP_MODEL'] as const

/** What a manifest may be validated for. */
export const exportTargets = [...exportTypes, 'PACKAGE'] as const
export type ExportTarget = (typeof exportTargets)[number]
