import * as z from 'zod'
import type { PackageSecrets } from '@cadmus/formats/package/delivery'
import type { ActionType } from '@cadmus/model/audit-differences'
import { type Configuration, configurationForm } from '@cadmus/model/configuration'
import { messages } from '@cadmus/model/messages'
import { embedded } from '@cadmus/model/stored/nested-forms'
import { numbered, readStored, type StoredForm } from '@cadmus/model/stored/stored-form'
import { conflict, notFound } from '../../errors/api-error.ts'
import type { AuditChange } from '../../store/audit.ts'
import type { Db } from '../../store/database.ts'
import {
  packageByName,
  type PackageRow,
  packagesByIds,
  packageVersion,
  type PackageVersionRow,
} from '../../store/package.ts'
import { manifestEntry } from '../audit.ts'
import { type Change, transact } from '../change.ts'

type BuiltPackage = { row: PackageRow; version: PackageVersionRow; hash: string }

/** Decrypts stored secrets. */
type Opener = { decrypt: (sealed: string) => string | undefined }

/** A built version. 404 for an unknown package or version, 409 if it is not built. */
export async function builtPackage(
  db: Db,
  organisationId: number,
  which: { id: number } | { name: string },
  version: string,
): Promise<BuiltPackage> {
  const row =
    'id' in which
      ? (await packagesByIds(db, organisationId, [which.id]))[0]
      : await packageByName(db, organisationId, which.name)
  if (row === undefined) throw notFound('The package')
  const built = await packageVersion(db, organisationId, row.id, version)
  if (built === undefined) throw notFound('The version')
  if (built.status === 'PROCESSING') throw conflict(messages.packages.versionBuilding)
  if (built.content_hash === null) throw conflict(messages.packages.notBuilt)
  return { row, version: built, hash: built.content_hash }
}

/** The secrets of a package. 409 if one cannot be decrypted. */
export function secretsOf({ version }: BuiltPackage, box: Opener): PackageSecrets {
  const { connectionPoolInfo, customProperties } = ownSettings(version).packageProperties
  const opened = (name: string, sealed: string): string => {
    const value = sealed === '' ? '' : box.decrypt(sealed)
    if (value === undefined) throw conflict(messages.secretUnknown(name))
    return value
  }
  const secret = customProperties.filter(property => property.secret)
  return {
    password: opened('Connection Password', connectionPoolInfo.password),
    properties: new Map(secret.map(({ name, value }) => [name, opened(name, value)])),
  }
}

function ownSettings(version: PackageVersionRow): Configuration {
  const [own] = settingsOf(version)
  if (own === undefined) throw new Error('A package has no settings.')
  return own
}

/** The configurations used for a build, the manifest's own first, with encrypted secrets. */
export const buildSettingsForm: StoredForm<{ configurations: Configuration[] }> = {
  name: 'build settings',
  format: 2,
  schema: z.object({ configurations: z.array(embedded(configurationForm)) }),
  // Format 1 was the list alone.
  unnumbered: 1,
  upgrades: { 1: configurations => ({ configurations }) },
}

export function settingsOf({ settings }: Pick<PackageVersionRow, 'settings'>): Configuration[] {
  return readStored(buildSettingsForm, JSON.parse(settings)).configurations
}

export function writeSettings(configurations: Configuration[]): string {
  return JSON.stringify(numbered(buildSettingsForm, { configurations }))
}

/** Logs a download with passwords, or an upload. */
export async function auditUse(change: Change, { row, version }: BuiltPackage, description: string): Promise<void> {
  await transact(change, 1, async (_tx, work) =>
    work.audit(packageEntry(row, version.manifest_version, 'UPDATE', description)),
  )
}

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
