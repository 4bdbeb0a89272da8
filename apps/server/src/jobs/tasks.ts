import type { Delivery, PackageSecrets } from '@cadmus/formats/package/delivery'
import type { NamesakeStepAnswer } from '@cadmus/model/contract/manifest-namesakes'
import type { Configuration } from '@cadmus/model/configuration'
import type { DatabaseType } from '@cadmus/model/database-types'
import type { ExportTarget } from '@cadmus/model/export-target'
import type { NamesakeStrategy } from '@cadmus/model/namesake-plan'
import type { PublishKind } from '@cadmus/model/package'
import type { Problem } from '@cadmus/model/problem'
import type { AuditQuery } from '../store/audit-read.ts'
import type { StoreSettings } from '../store/database.ts'

/** A manifest of the organisation or the library; with a version, as it was then. */
export type ModelPlace = { organisationId: number; manifestId: number; version: string | null }

/** What a package is made of. The configuration holds no secrets; the version is the manifest's, and may be the latest. */
export type PackageInput = ModelPlace & {
  version: string
  packageName: string
  packageVersion: string
  /** Its code. */
  organisation: string
  publishAs: PublishKind
  configuration: Configuration
}

/** The same with the settings of all its manifests as they are stored. */
export type StoredPackage = Omit<PackageInput, 'configuration'> & {
  settings: string
  delivery: Pick<Delivery, 'owner' | 'adopts'>
}

/** The same before its settings are known: a thread reads them. */
export type AskedPackage = Omit<PackageInput, 'configuration'> & {
  licence: string
  /** Settings that go before the stored ones, their secrets sealed; null: the stored ones as they are, not judged. */
  given: { configurations: readonly Configuration[]; serviceOptions: boolean } | null
}

export type ScriptInput = ModelPlace & { databaseType: DatabaseType; applyAutoIncrement: boolean }

/** What the workers do, by name: computing and reading; they never write to the store. */
export type Tasks = {
  /** The manifest as it is now. The answer is JSON in the encoding. */
  validate: {
    input: {
      organisationId: number
      manifestId: number
      target?: ExportTarget | undefined
      databaseTypes: readonly DatabaseType[]
      encoding: 'gzip' | 'identity'
    }
    output: Uint8Array
  }
  namesakes: {
    input: ModelPlace & { strategy: NamesakeStrategy }
    output: { steps: NamesakeStepAnswer[]; etag: string }
  }
  manifestPaths: { input: ModelPlace; output: Uint8Array }
  exportScript: {
    input: ScriptInput
    output: { fileName: string; zip: Uint8Array; notes: number } | { problems: Problem[] }
  }
  exportCdm: {
    input: ModelPlace
    output: { fileName: string; zip: Uint8Array; notes: number } | { problems: Problem[] }
  }
  previewCdm: { input: ModelPlace; output: { script: string; notes: number } | { problems: Problem[] } }
  previewScript: { input: ScriptInput; output: { script: string; notes: number } | { problems: Problem[] } }
  exportDataModel: {
    input: ModelPlace
    output: { fileName: string; zip: Uint8Array; notes: number } | { problems: Problem[] }
  }
  previewDataModel: { input: ModelPlace; output: { script: string; notes: number } | { problems: Problem[] } }
  /** Answers that are too large to be made between others: JSON, with the tag of that state. */
  entity: {
    input: {
      organisationId: number
      id: number
      version?: string | undefined
      withResolved?: boolean
      withKey?: boolean
      hash?: string | undefined
      /** The uid of a relationship that is answered beside the entity. */
      relationship?: string
    }
    output: { json: Uint8Array; hash: string }
  }
  entityVersions: { input: { organisationId: number; id: number }; output: Uint8Array }
  entityContent: { input: { organisationId: number; id: number; version: string }; output: Uint8Array }
  manifestVersions: { input: { organisationId: number; manifestId: number }; output: Uint8Array }
  manifestContent: { input: ModelPlace; output: Uint8Array }
  manifest: { input: ModelPlace; output: { json: Uint8Array; etag: string } }
  configuration: {
    /** `stored`: the hash that names it; null: the defaults. */
    input: { organisationId: number; manifestId: number; stored: string | null }
    output: { json: Uint8Array; hash: string }
  }
  logs: {
    input: { organisationId: number; kind: 'ENTITY' | 'MANIFEST'; query: AuditQuery }
    output: Uint8Array
  }
  log: { input: { organisationId: number; kind: 'ENTITY' | 'MANIFEST'; id: number }; output: Uint8Array }
  /** What a build would use where nothing else is sent. */
  buildSettings: { input: ModelPlace & { licence: string }; output: Uint8Array }
  /** Why it cannot be built, with all else that is found, empty where it can be; and the settings that it goes by, as they are stored. */
  checkPackage: { input: AskedPackage; output: { problems: Problem[]; settings: string } }
  /** The zip as Base64, and its size in bytes; or all problems where one of them is an error. */
  buildPackage: {
    input: StoredPackage
    output: { zip: string; size: number } | { problems: Problem[] } | { reason: string }
  }
  /** What the package of that hash has for its callers that the next would not; empty too where that could not be built or nothing was before. */
  packageBreaks: { input: { organisationId: number; hash: string | null; next: AskedPackage }; output: string[] }
  /** The zip of that hash with its owner, and with secrets in the place of what stands for them where they are given. */
  packageZip: {
    input: {
      organisationId: number
      hash: string
      delivery: Pick<Delivery, 'owner' | 'adopts'>
      secrets: PackageSecrets | null
    }
    output: Uint8Array
  }
  orphanContents: { input: { organisationId: number }; output: string[] }
}

export type WorkerSettings = { store: StoreSettings }
