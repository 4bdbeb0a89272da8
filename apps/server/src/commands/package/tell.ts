import type { ActionType } from '@cadmus/model/audit-entry'
import type { AuditChange } from '../../store/audit.ts'
import { tellOfManifest } from '../audit.ts'

type Of = {
  manifest_id: number
  manifest_name: string
  manifest_path: string
}

/** An entry of a package stands among those of its manifest. CREATE and DELETE are of the package, UPDATE of its versions. */
export function tellOfPackage(of: Of, manifestVersion: string, action: ActionType, description: string): AuditChange {
  const manifest = {
    id: of.manifest_id,
    name: of.manifest_name,
    path: of.manifest_path,
    latest_version: manifestVersion,
  }
  const nothing = { before: null, after: null, restoration: {} }
  return tellOfManifest(manifest, { action, description, contentKind: 'package', ...nothing })
}
