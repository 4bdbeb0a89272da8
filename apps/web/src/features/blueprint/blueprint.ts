import type { ApiType, Configuration } from '@cadmus/model/configuration'
import { connectionUrl, type PackageDatabase } from '@cadmus/model/database-types'
import { defaultPackageName } from '@cadmus/model/package'

export type Named = { id: number; name: string }

/** In order of appearance. 2a: only when publishing; 3a1 to 3a3: only with a database. */
export type Step = '1' | '2' | '2a' | '3' | '3a1' | '3a2' | '3a3' | '4' | '5'

/** Options for a package without an API. */
export const schemaLabels = { DB_STRUCTURE: 'Database Schema', ENTITY_GLOOP_MODEL: 'Data Models' } as const
export type SchemaOption = keyof typeof schemaLabels

export type SqlOptions = Configuration['configurationBuild']['sqlConfiguration']
export type Connection = { url: string; username: string; password: string; databaseName: string }

/** Configurations of the manifest, first, and of its sub-manifests. */
export type Settings = readonly Configuration[]

/** Sign-in at a self-managed instance; kept in memory only. */
export type Credentials = { username: string; password: string }

/** A database as its instance describes it. `type`: null for an unsupported type, shown as `typeName`. */
export type DatabaseDetails = { url: string; username: string; type: PackageDatabase | null; typeName: string }

/** An existing package: on an instance with its version, in the console with its builds in listed order. */
export type ExistingPackage = { name: string; versions: readonly string[] }

type Working = 'validating' | 'testing' | 'asking' | 'building' | 'publishing'

export type Blueprint = {
  step: Step
  /** The manifest is published again with the answers of the last publication: Next goes to the first open question. */
  again: boolean
  /** The user has made a choice, which leaving would lose. */
  hasChosen: boolean
  manifest: Named | null
  /** Null until loaded, or if loading failed. */
  settings: Settings | null
  allowed: readonly PackageDatabase[]
  goal: 'publish' | 'export' | null
  target: 'hosted' | 'selfManaged'
  hosted: { name: string; url: string } | null
  url: string
  credentials: Credentials
  /** The last publication signed in at the instance. */
  signsIn: boolean
  /** Result of the last connection test for the current input. */
  test: { connected: true } | { connected: false; reason: string } | null
  apis: readonly ApiType[]
  schema: SchemaOption | null
  database: 'new' | 'existing'
  /** `instance`: the instance that has the database. */
  existing: { name: string; instance: string } | null
  details: DatabaseDetails | 'loading' | 'failed' | null
  databaseType: PackageDatabase
  connection: Connection
  sql: SqlOptions | null
  packageMode: 'new' | 'existing'
  newPackage: string
  existingPackage: ExistingPackage | null
  /** The version chosen instead of the next patch; null if the next patch is used. */
  version: string | null
  startedVersion: string | null
  /** Next was pressed without success: fields show their problems. */
  attempted: boolean
  /** Connection fields that lost the focus once. */
  left: ReadonlySet<keyof Connection>
  working: Working | null
  /** The server's refusal of the manifest, the build or the publication. */
  refused: string | null
  /** The build of the current input: a retry only publishes it. */
  built: { packageId: number; name: string; version: string } | null
}

/** Initial state, with the manifest preselected if there is one. */
export function openBlueprint(manifest: Named | null, allowed: readonly PackageDatabase[]): Blueprint {
  return {
    step: '1',
    again: false,
    hasChosen: false,
    manifest,
    settings: null,
    allowed,
    goal: null,
    target: 'selfManaged',
    hosted: null,
    url: '',
    credentials: { username: '', password: '' },
    signsIn: false,
    test: null,
    apis: [],
    schema: null,
    database: 'new',
    existing: null,
    details: null,
    databaseType: firstType(allowed),
    connection: newConnection(firstType(allowed)),
    sql: null,
    packageMode: 'new',
    newPackage: manifest === null ? '' : defaultPackageName(manifest.name),
    existingPackage: null,
    version: null,
    startedVersion: null,
    attempted: false,
    left: new Set(),
    working: null,
    refused: null,
    built: null,
  }
}

export const emptyConnection: Connection = { url: '', username: '', password: '', databaseName: '' }

export function newConnection(type: PackageDatabase): Connection {
  return { ...emptyConnection, url: connectionUrl(type, '') }
}

/** MySQL if the licence allows it, else its first type. */
function firstType(allowed: readonly PackageDatabase[]): PackageDatabase {
  return allowed.includes('mysql') ? 'mysql' : (allowed[0] ?? 'postgresql')
}

/** Steps shown for these choices: data models need no database. */
export function stepsOf({ goal, schema }: Pick<Blueprint, 'goal' | 'schema'>): readonly Step[] {
  const target: readonly Step[] = goal === 'publish' ? ['2a'] : []
  const database: readonly Step[] = schema === 'ENTITY_GLOOP_MODEL' ? [] : ['3a1', '3a2', '3a3']
  return ['1', '2', ...target, '3', ...database, '4', '5']
}

/** From the confirmation to the end of the publication. */
export function isGenerating({ working }: Blueprint): boolean {
  return working === 'asking' || working === 'building' || working === 'publishing'
}

/** Whether leaving would lose a choice or the rest of the publication. */
export function hasEntered(state: Blueprint): boolean {
  return state.hasChosen || isGenerating(state)
}
