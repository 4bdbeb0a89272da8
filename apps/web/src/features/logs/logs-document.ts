import type { DocumentRef } from '../../workbench/documents.ts'

/** There is one: opened again it is shown again. */
export const logsDocument: DocumentRef = { kind: 'logs', id: 1, name: 'Audit Logs' }
