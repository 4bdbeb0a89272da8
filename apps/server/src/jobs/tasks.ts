import type { Delivery, PackageSecrets } from '@cadmus/formats/package/delivery'
import type { openOperations } from '@cadmus/model/api/open-operations'
import type { NameConflictStepAnswer } from '@cadmus/model/contract/manifest'
import type { Configuration } from '@cadmus/model/configuration'
import type { ScriptSide, ScopeChange, Side } from '@cadmus/model/contract/comparison'
import type { MigrationDirection, MigrationNaming } from '@cadmus/model/migration-step'
import type { ProblemPlace } from '@cadmus/model/contract/problems'
import type { DatabaseType } from '@cadmus/model/database-types'
import type { EntityEdit } from '@cadmus/model/edits/entity-edits'
import type { ExportOptions, ExportTarget, ExportType } from '@cadmus/model/export-formats'
import type { NameConflictStrategy } from '@cadmus/model/name-conflicts'
import type { PublishKind } from '@cadmus/model/package'
import type { Problem } from '@cadmus/model/problem'
import type { AuditQuery } from '../store/audit-read.ts'
import type { StoreSettings } from '../store/database.ts'
import type { ReadSql } from './read-sql.ts'
import type { UnsavedEdits } from './unsaved-edits.ts'

/** A manifest of the organisation or the library, at a version, or the latest if null. */
export type ModelPlace = { organisationId: number; manifestId: number; version: string | null }

/** Entities by id. `manifest`: the manifest and its version whose state to read; null: the current one. */
export type RowsPlace = { organisationId: number; ids: readonly number[]; manifest: ModelPlace | null }

/** The entities up to a number of relationships away from one. */
export type NeighbourhoodPlace = { organisationId: number; id: number; steps: number }

/** Entities with the tags of the states before and after a change; null: only their current states. */
export type StatesInput = {
  organisationId: number
  entities: readonly { id: number; change: { before: string | null; after: string | null } | null }[]
}

/** JSON texts: the current state of an entity with its tag, and the contents before and after a change. */
export type EntityStatesText = { current: string; change: string | null }

/** Input of a package build. The configuration holds no secrets; `version` is the manifest's and may be the latest. */
export type PackageInput = ModelPlace & {
  version: string
  packageName: string
  packageVersion: string
  /** The organisation's code. */
  organisation: string
  publishAs: PublishKind
  configuration: Configuration
}

/** Package input with the stored settings of all its manifests. */
export type StoredPackage = Omit<PackageInput, 'configuration'> & {
  settings: string
  delivery: Pick<Delivery, 'owner' | 'adopts'>
}

/** Package input before its settings are read, which a thread does. */
export type PackageRequest = Omit<PackageInput, 'configuration'> & {
  licence: string
  /** Settings that override the stored ones, with encrypted secrets; null: the stored ones, unvalidated. */
  overrides:
    | { configurations: readonly Configuration[]; serviceOptions: boolean }
    /** The stored ones with the choices in these settings of a former build. */
    | { former: string }
    | null
}

/** The manifest that is compared, in the organisation that may read it. `only`: members to read of the current state. */
export type ComparedPlace = {
  organisationId: number
  manifestId: number
  /** A script: for migrations. */
  before: Side | ScriptSide
  after: Side
  only?: ReadonlySet<number>
}

/** Edits of the current state of an entity. */
export type ImpactPlace = { organisationId: number; id: number; edits: readonly EntityEdit[] }

export type MigrationOptions = { database: DatabaseType; direction: MigrationDirection; naming: MigrationNaming }

/** What is answered of a comparison. */
export type ComparisonPart =
  | { kind: 'list' }
  | { kind: 'entity'; uid: string }
  | { kind: 'consequences'; database: DatabaseType }
  | ({ kind: 'migration' } & MigrationOptions)
  | { kind: 'diagram' }
  | { kind: 'rows'; uids: readonly string[] }

/** The current state of a manifest with edits that a user has not saved. */
export type UnsavedPlace = {
  organisationId: number
  manifestId: number
  edits: UnsavedEdits
  /** Those whose rules for names apply. */
  databaseTypes: readonly DatabaseType[]
}
/** `known`: states that the caller has. */
export type ContentsInput = {
  organisationId: number
  manifestId: number
  known: readonly { id: number; tag: string }[]
}

/** `known`: tag of the answer that the caller has; `list`: null for numbers only. */
export type ProblemsInput = UnsavedPlace & { known: string | null; list: { entity: number | null } | null }
/** `place`: null for all problems with the code. */
export type FixesInput = UnsavedPlace & { code: string; place: ProblemPlace | null }

/** `content`: the zip, or the preview in UTF-8. */
export type Exported = { fileName: string; content: Uint8Array; notes: number }

/** The tasks of worker threads, by name. They compute and read; they never write to the store. */
export type Tasks = {
  /** Validates the latest state. The answer is JSON in the encoding. */
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
  entityContents: { input: ContentsInput; output: Uint8Array }
  entityStates: { input: StatesInput; output: (EntityStatesText | null)[] }
  problems: { input: ProblemsInput; output: Uint8Array }
  fixes: { input: FixesInput; output: Uint8Array }
  nameConflicts: {
    input: ModelPlace & { strategy: NameConflictStrategy }
    output: { steps: NameConflictStepAnswer[]; etag: string }
  }
  manifestPaths: { input: ModelPlace; output: Uint8Array }
  scopeMatrix: { input: ModelPlace; output: Uint8Array }
  exportManifest: {
    input: ModelPlace & { exportType: ExportType; options: ExportOptions; mode: 'zip' | 'preview' }
    output: Exported | { problems: Problem[] }
  }
  /** Answers too large for the request thread: JSON, with the hash of the state. */
  entity: {
    input: {
      organisationId: number
      id: number
      version?: string | undefined
      withResolved?: boolean
      withKey?: boolean
      hash?: string | undefined
      /** The uid of a relationship to add to the answer. */
      relationship?: string
    }
    output: { json: Uint8Array; hash: string }
  }
  entityVersions: { input: { organisationId: number; id: number }; output: Uint8Array }
  entityContent: { input: { organisationId: number; id: number; version: string }; output: Uint8Array }
  manifestVersions: { input: { organisationId: number; manifestId: number }; output: Uint8Array }
  manifestContent: { input: ModelPlace; output: Uint8Array }
  manifest: { input: ModelPlace; output: { json: Uint8Array; etag: string } }
  diagram: { input: ModelPlace; output: Uint8Array }
  diagramRows: { input: RowsPlace; output: Uint8Array }
  neighbourhood: { input: NeighbourhoodPlace; output: Uint8Array }
  comparison: { input: ComparedPlace & { part: ComparisonPart }; output: Uint8Array }
  impact: { input: ImpactPlace; output: Uint8Array }
  configuration: {
    /** `stored`: the content hash; null: the defaults. */
    input: { organisationId: number; manifestId: number; stored: string | null }
    output: { json: Uint8Array; hash: string }
  }
  logs: {
    input: { organisationId: number; kind: 'ENTITY' | 'MANIFEST'; query: AuditQuery }
    output: Uint8Array
  }
  log: { input: { organisationId: number; kind: 'ENTITY' | 'MANIFEST'; id: number }; output: Uint8Array }
  /** The default settings of a build. */
  buildSettings: { input: ModelPlace & { licence: string }; output: Uint8Array }
  /** Returns all problems if the package cannot be built, else none, and the effective settings as stored. */
  checkPackage: { input: PackageRequest; output: { problems: Problem[]; settings: string } }
  /** Returns the zip as Base64 with its size in bytes, or all problems if one is an error. */
  buildPackage: {
    input: StoredPackage
    output: { zip: string; size: number } | { problems: Problem[] } | { reason: string }
  }
  /**
   * Lists API changes between the package with this hash and the next one that break callers; empty without a previous
   * package, or if the next cannot be built.
   */
  packageBreaks: { input: { organisationId: number; hash: string | null; next: PackageRequest }; output: string[] }
  /** Compares a former package with its rebuild, like `packageBreaks`, with the problems and settings of the rebuild. */
  checkRebuild: {
    input: { organisationId: number; hash: string; next: PackageRequest }
    output: {
      breaks: string[]
      opened: ScopeChange[]
      openedCount: number
      access: ReturnType<typeof openOperations> | null
      problems: Problem[]
      errors: number
      warnings: number
      settings: string
    }
  }
  /** Returns the zip of a package that is not stored, with its owner and secrets filled in; else like `buildPackage`. */
  previewZip: {
    input: StoredPackage & { secrets: PackageSecrets }
    output: Uint8Array | { problems: Problem[] } | { reason: string }
  }
  /** Returns the zip with this hash, with its owner and, if given, its secrets filled in. */
  packageZip: {
    input: {
      organisationId: number
      hash: string
      delivery: Pick<Delivery, 'owner' | 'adopts'>
      secrets: PackageSecrets | null
    }
    output: Uint8Array
  }
  unreferencedContents: { input: { organisationId: number }; output: string[] }
  /** Runs where files are read, because the text is as untrusted. */
  sql: {
    input: { organisationId: number; text: string; database: DatabaseType | undefined }
    output: ReadSql
  }
}

/** `givesWay`: whether other work of the machine goes first. */
export type WorkerSettings = { store: StoreSettings; givesWay: boolean }
