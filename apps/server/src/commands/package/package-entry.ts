import type { ActionType } from '@cadmus/model/audit-entry'
import type { AuditChange } from '../../store/audit.ts'
import { manifestEntry } from '../audit.ts'

type Of = {
  manifest_id: number
  manifest_name: string
  manifest_path: string
}

/** Entries of packages are in the log of their manifest. CREATE and DELETE refer to the package, UPDATE to its versions. */
export function packageEntry(of: Of, manifestVersion: string, action: ActionType, description: string): AuditChange {
  const manifest = {
    id: of.manifest_id,
    name: of.manifest_name,
    path: of.manifest_path,
    latest_version: manifestVersion,
  }
  const nothing = { before: null, after: null, restoration: {} }
  return manifestEntry(manifest, { action, description, contentKind: 'package', ...nothing })
}
