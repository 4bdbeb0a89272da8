/** Export formats of a manifest. ENTITY_GLOOP_MODEL is the data model. */
export const exportTypes = ['DB_STRUCTURE', 'CDM_SCHEMA', 'ENTITY_GLOOP_MODEL'] as const

/** Purposes of a validation. */
export const exportTargets = [...exportTypes, 'PACKAGE'] as const
export type ExportTarget = (typeof exportTargets)[number]
