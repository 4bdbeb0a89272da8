import type { DocumentRef } from '../../workbench/documents.ts'

/** Single document: opening it again shows the same tab. */
export const logsDocument: DocumentRef = { kind: 'logs', id: 1, name: 'Audit Logs' }
