import type { ApiType, Configuration } from '@cadmus/model/configuration'
import { connectionUrl, databaseTypes, type DatabaseType } from '@cadmus/model/database-types'

export type Named = { id: number; name: string }

/** In the order in which they are gone through; 2a is of who publishes, 3a1 to 3a3 of what has a database. */
export type Step = '1' | '2' | '2a' | '3' | '3a1' | '3a2' | '3a3' | '4' | '5'

/** A package without an API. */
export const schemaLabels = { DB_STRUCTURE: 'Database Schema', ENTITY_GLOOP_MODEL: 'Data Models' } as const
export type SchemaOption = keyof typeof schemaLabels

export type SqlOptions = Configuration['configurationBuild']['sqlConfiguration']
export type Connection = { url: string; username: string; password: string; databaseName: string }

/** What is known of a manifest and its sub-manifests, the manifest first. */
export type Settings = readonly Configuration[]

/** How a self-managed instance is asked who is calling: kept in memory only. */
export type Credentials = { username: string; password: string }

/** A database of an instance, as it says of itself. `type`: null where it is none of ours, which `typeName` shows as it is. */
export type DatabaseDetails = { url: string; username: string; type: DatabaseType | null; typeName: string }

/** A package that was there before; of an instance with its version, of the console with those that were built, the first listed first. */
export type ExistingPackage = { name: string; versions: readonly string[] }

/** What is being waited for. */
type Working = 'validating' | 'testing' | 'asking' | 'building' | 'publishing'

/** The blueprint wizard between its events. */
export type Blueprint = {
  step: Step
  manifest: Named | null
  /** Null while it is not known, or could not be read. */
  settings: Settings | null
  /** The database types that the organisation's licence allows. */
  allowed: readonly DatabaseType[]
  goal: 'publish' | 'export' | null
  target: 'hosted' | 'selfManaged'
  hosted: { name: string; url: string } | null
  url: string
  credentials: Credentials
  /** How the last test of what is entered now ended. */
  test: { connected: true } | { connected: false; reason: string } | null
  apis: readonly ApiType[]
  schema: SchemaOption | null
  database: 'new' | 'existing'
  /** `instance`: whose it is. */
  existing: { name: string; instance: string } | null
  details: DatabaseDetails | 'loading' | 'failed' | null
  databaseType: DatabaseType
  connection: Connection
  sql: SqlOptions | null
  packageMode: 'new' | 'existing'
  newPackage: string
  existingPackage: ExistingPackage | null
  /** The version that was chosen over the next patch; null: none was. */
  version: string | null
  /** The version whose build is under way. */
  begun: string | null
  /** Next was pressed on this step and could not go on: each field says what it lacks. */
  attempted: boolean
  /** Connection fields that were left. */
  left: ReadonlySet<keyof Connection>
  working: Working | null
  /** What the server said against the manifest, the build or the publishing. */
  refused: string | null
  /** What was built from exactly what is entered now: a second attempt only publishes it. */
  built: { packageId: number; name: string; version: string } | null
}

/** How the wizard opens; with a manifest where it was chosen already. */
export function openBlueprint(manifest: Named | null, allowed: readonly DatabaseType[]): Blueprint {
  return {
    step: '1',
    manifest,
    settings: null,
    allowed,
    goal: null,
    target: 'selfManaged',
    hosted: null,
    url: '',
    credentials: { username: '', password: '' },
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
    newPackage: '',
    existingPackage: null,
    version: null,
    begun: null,
    attempted: false,
    left: new Set(),
    working: null,
    refused: null,
    built: null,
  }
}

export const emptyConnection: Connection = { url: '', username: '', password: '', databaseName: '' }

/** A new database begins with the template of its type. */
export function newConnection(type: DatabaseType): Connection {
  return { ...emptyConnection, url: connectionUrl(type, '') }
}

/** MySQL, as everywhere, or what the licence has first. */
function firstType(allowed: readonly DatabaseType[]): DatabaseType {
  return allowed.includes('mysql') ? 'mysql' : (allowed[0] ?? databaseTypes[0])
}

/** The steps that will be gone through: what is without tables of its own needs no database. */
export function stepsOf({ goal, schema }: Pick<Blueprint, 'goal' | 'schema'>): readonly Step[] {
  const target: readonly Step[] = goal === 'publish' ? ['2a'] : []
  const database: readonly Step[] = schema === 'ENTITY_GLOOP_MODEL' ? [] : ['3a1', '3a2', '3a3']
  return ['1', '2', ...target, '3', ...database, '4', '5']
}

/** Whether anything was chosen that leaving would lose. */
export function hasEntered(state: Blueprint, opened: Pick<Blueprint, 'manifest'>): boolean {
  return state.manifest?.id !== opened.manifest?.id || state.goal !== null
}
