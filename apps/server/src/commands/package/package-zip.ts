import * as z from 'zod'
import type { PackageSecrets } from '@cadmus/formats/package/delivery'
import type { ActionType } from '@cadmus/model/audit-differences'
import { type Configuration, configurationForm } from '@cadmus/model/configuration'
import { isRecord } from '@cadmus/model/equal'
import { messages } from '@cadmus/model/messages'
import { type BuildChoice, buildChoices } from '@cadmus/model/package'
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

/** The secrets in the settings of a build. 409 if one cannot be decrypted. */
export function secretsOf(version: Pick<PackageVersionRow, 'settings'>, box: Opener): PackageSecrets {
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

function ownSettings(version: Pick<PackageVersionRow, 'settings'>): Configuration {
  const [own] = settingsOf(version).configurations
  if (own === undefined) throw new Error('A package has no settings.')
  return own
}

/**
 * The configurations used for a build, the manifest's own first, with encrypted secrets. `choices`: the parts of the
 * manifest's own that differed from its stored configuration.
 */
export type BuildSettings = { configurations: Configuration[]; choices: BuildChoice[] }

export const buildSettingsForm: StoredForm<BuildSettings> = {
  name: 'build settings',
  format: 3,
  schema: z.object({
    configurations: z.array(embedded(configurationForm)),
    choices: z.array(z.enum(buildChoices)),
  }),
  // Format 1 was the list alone.
  unnumbered: 1,
  upgrades: {
    1: configurations => ({ configurations }),
    // What had been chosen is unknown: rebuilding such a package keeps it as it was.
    2: settings => (isRecord(settings) ? { ...settings, choices: [...buildChoices] } : settings),
  },
}

export function settingsOf({ settings }: Pick<PackageVersionRow, 'settings'>): BuildSettings {
  return readStored(buildSettingsForm, JSON.parse(settings))
}

export function writeSettings(settings: BuildSettings): string {
  return JSON.stringify(numbered(buildSettingsForm, settings))
}

/** Logs a download with passwords, a preview or an upload. */
export async function auditUse(
  change: Change,
  row: PackageRow,
  manifestVersion: string,
  description: string,
): Promise<void> {
  await transact(change, 1, async (_tx, work) => work.audit(packageEntry(row, manifestVersion, 'UPDATE', description)))
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
